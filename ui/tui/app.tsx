/** Layout only: what stands below the transcript. The lines themselves come from pure functions. */
import { Box } from "ink";
import { Dialog } from "./dialog.tsx";
import { Editor } from "./editor.tsx";
import { Lines } from "./lines.tsx";
import type { Panel } from "./panel.ts";

export interface AppProps {
  readonly panel: Panel;
  readonly columns: number;
}

export const App = ({ panel, columns }: AppProps) => (
  <Box flexDirection="column" width={columns}>
    <Lines lines={panel.above} />
    {panel.box.title === undefined ? <Editor box={panel.box} /> : <Dialog title={panel.box.title} box={panel.box} />}
    <Lines lines={panel.below} />
  </Box>
);
