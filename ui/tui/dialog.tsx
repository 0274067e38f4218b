import { Box, Text } from "ink";
import { Lines } from "./lines.tsx";
import type { Box as BoxLines } from "./panel.ts";

/** An open question in its box, in place of the input line. */
export const Dialog = ({ title, box }: { readonly title: string; readonly box: BoxLines }) => (
  <Box flexDirection="column" borderStyle="round" paddingX={1}>
    <Text bold wrap="truncate-end">
      {title}
    </Text>
    <Lines lines={box.lines} />
  </Box>
);
