/**
 * Finds where streamed Markdown is finished: after a blank line or a closed code fence, when the next line does not
 * continue the block. Reads every line once, so a long reply costs what it is long.
 */
export interface BlockScan {
  /** Start of the line that is not yet complete. */
  readonly scanned: number;
  /** The marker of the code fence that is open there. */
  readonly fence: string | undefined;
  /** The line before allows a block to begin at `scanned`. */
  readonly open: boolean;
}

export const scanFromStart: BlockScan = { scanned: 0, fence: undefined, open: false };

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;

/** Reads on in `text`. Everything before `boundary` is finished; 0 when nothing is. */
export function scanBlocks(text: string, from: BlockScan): { readonly scan: BlockScan; readonly boundary: number } {
  let { scanned, fence, open } = from;
  let boundary = 0;
  for (;;) {
    if (open && beginsBlock(text, scanned)) {
      boundary = scanned;
      open = false;
    }
    const newline = text.indexOf("\n", scanned);
    if (newline < 0) return { scan: { scanned, fence, open }, boundary };
    const line = text.slice(scanned, newline);
    const marker = FENCE.exec(line);
    if (fence !== undefined) {
      const closes = marker?.[1]?.startsWith(fence) === true && marker[2]?.trim() === "";
      if (closes) fence = undefined;
      open = closes;
    } else {
      fence = marker?.[1];
      open = line.trim() === "" ? open || scanned > 0 : false;
    }
    scanned = newline + 1;
  }
}

/** Whether a new block starts at `at`. Not yet when its first characters are missing; an indented line or a list item
 * belongs to what came before the blank line. */
function beginsBlock(text: string, at: number): boolean {
  const start = text.slice(at, at + 12);
  if (start === "" || /^\s/.test(start)) return false;
  return !/^(?:[-*+](?:\s|$)|\d{1,9}(?:[.)](?:\s|$)|$))/.test(start);
}
