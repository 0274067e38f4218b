import { expect, test } from "vitest";
import type { FileState } from "../../../src/protocol/file-change.ts";
import { changeOf, isSameState, netChanges, withoutFullFolders } from "../../../src/workspace/net-changes.ts";
import { showChanges } from "../../../src/workspace/show-changes.ts";

const file = (text: string, mode = 0o644): FileState => ({ kind: "file", mode, size: text.length, hash: text });
const folder: FileState = { kind: "directory", mode: 0o755 };

test("several turns are one change from the first state to the last", () => {
  const net = netChanges([
    [changeOf("a", undefined, file("1")), changeOf("b", file("1"), file("2"))],
    [changeOf("a", file("1"), file("2")), changeOf("b", file("2"), file("1"))],
  ]);
  expect(net).toEqual({ changes: [changeOf("a", undefined, file("2"))], broken: [] });
});

test("a file that somebody else changed in between is followed back no further", () => {
  const net = netChanges([
    [changeOf("a", file("0"), file("1"))],
    [changeOf("a", file("1"), file("2"))],
    [changeOf("a", file("mine"), file("3"))],
  ]);
  expect(net).toEqual({ changes: [changeOf("a", file("mine"), file("3"))], broken: ["a"] });
});

test("states without a hash are the same when size and time are", () => {
  const large = (mtime: number): FileState => ({ kind: "file", mode: 0o644, size: 9, mtime });
  expect(isSameState(large(1), large(1))).toBe(true);
  expect(isSameState(large(1), large(2))).toBe(false);
  expect(isSameState(large(1), file("123456789"))).toBe(false);
});

test("a folder is told only when nothing in it is", () => {
  const changes = [
    changeOf("d", undefined, folder),
    changeOf("d/a", undefined, file("1")),
    changeOf("e", undefined, folder),
  ];
  expect(withoutFullFolders(changes).map(({ path }) => path)).toEqual(["d/a", "e"]);
});

test("changes are shown as diffs, or in words where there are no lines to compare", async () => {
  const contents = { contentOf: (hash: string) => Buffer.from(hash), isSecret: (path: string) => path === ".env" };
  const text = await showChanges(
    [
      changeOf(".env", file("KEY=1"), file("KEY=2")),
      changeOf("a", file("one\ntwo\n"), file("one\n2\n", 0o755)),
      changeOf("ends", file("x\n"), file("x\r\n")),
      changeOf("from", file("same"), undefined),
      changeOf("image", file("\0old"), file("\0\0new")),
      changeOf("large", { kind: "file", mode: 0o644, size: 9, mtime: 1 }, undefined),
      changeOf("link", undefined, { kind: "link", target: "/x" }),
      changeOf("made", undefined, folder),
      changeOf("to", undefined, file("same")),
      changeOf("was-folder", folder, file("x\n")),
    ],
    contents,
  );
  expect(text).toBe(
    [
      "renamed: from -> to",
      "",
      "changed: .env",
      "(not shown: it may hold secrets)",
      "",
      "mode: a 0644 -> 0755",
      "--- a",
      "+++ a",
      "@@ -1,2 +1,2 @@",
      " one",
      "-two",
      "+2",
      "",
      "changed: ends",
      "(only line endings, the end of the last line or the encoding)",
      "",
      "changed: image",
      "(binary data, 4 bytes)",
      "",
      "deleted: large",
      "(its content is not kept)",
      "",
      "new link: link -> /x",
      "",
      "new folder: made",
      "",
      "new file: was-folder 0644, was a folder",
      "--- /dev/null",
      "+++ was-folder",
      "@@ -0,0 +1 @@",
      "+x",
      "",
    ].join("\n"),
  );
});
