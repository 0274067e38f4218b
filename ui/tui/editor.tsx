import { Box } from "ink";
import { Lines } from "./lines.tsx";
import type { Box as BoxLines } from "./panel.ts";

/** The input line in its rounded box. */
export const Editor = ({ box }: { readonly box: BoxLines }) => (
  <Box borderStyle="round" paddingX={1}>
    <Lines lines={box.lines} />
  </Box>
);
