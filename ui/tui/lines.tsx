import { Text } from "ink";

/** Lines that are painted already; never wrapped again. */
export const Lines = ({ lines }: { readonly lines: readonly string[] }) =>
  lines.length === 0 ? null : (
    <Text wrap="truncate-end">{lines.map((line) => (line === "" ? " " : line)).join("\n")}</Text>
  );
