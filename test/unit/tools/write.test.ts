import { expect, test } from "vitest";
import { read } from "../../../src/tools/read.ts";
import { write } from "../../../src/tools/write.ts";
import { memoryProject } from "../../helpers/memory-project.ts";

test("a new file is written with its parents, and may be written again", async () => {
  const project = memoryProject();
  const called = await project.call(write, { path: "src/a.txt", content: "é\n" });
  expect(called).toEqual({
    status: "done",
    output: { text: "W /project/src/a.txt (3 bytes)", diff: "--- /dev/null\n+++ src/a.txt\n@@ -0,0 +1 @@\n+é\n" },
  });
  expect(await project.run(write, { path: "src/a.txt", content: "" })).toBe("W /project/src/a.txt (0 bytes)");
  expect(project.files).toEqual({ "src/a.txt": "" });
});

test("a file that was not read is not overwritten", async () => {
  const project = memoryProject({ "a.txt": "old\n" });
  expect(await project.call(write, { path: "a.txt", content: "new" })).toEqual({
    status: "refused",
    reason: "file was modified or not yet read, it must be read before it is changed: /project/a.txt",
  });
  await project.run(read, { path: "a.txt" });
  await project.run(write, { path: "a.txt", content: "new" });
  expect(project.files).toEqual({ "a.txt": "new" });
});

test("a file that changed since it was read is refused with its text, which then counts as read", async () => {
  const project = memoryProject({ "a.txt": "old\n" });
  await project.run(read, { path: "a.txt" });
  await project.put("a.txt", "theirs\n");
  expect(await project.call(write, { path: "a.txt", content: "mine\n" })).toEqual({
    status: "refused",
    reason:
      "file was modified since it was read, it must be read again: /project/a.txt\n" +
      "Its text is now (this counts as read):\n1: theirs\n2:",
  });
  await project.run(write, { path: "a.txt", content: "mine\n" });
  expect(project.files).toEqual({ "a.txt": "mine\n" });
});

test("a change that comes between the check and the write is noticed", async () => {
  const project = memoryProject({ "a.txt": "old\n" });
  await project.run(read, { path: "a.txt" });
  expect(await write.pre?.({ path: "a.txt", content: "mine\n" }, project.access)).toBeUndefined();
  await project.put("a.txt", "theirs\n");
  await expect(write.run({ path: "a.txt", content: "mine\n" }, project.access)).rejects.toThrow(
    "modified since it was read",
  );
  expect(project.files).toEqual({ "a.txt": "theirs\n" });
});

test.each<[string, string]>([
  ["utf16le", "\ufeff"],
  ["utf8", "\ufeff"],
])("the encoding and mark of a %s file are kept", async (encoding, mark) => {
  const project = memoryProject({ "a.txt": Buffer.from(`${mark}old`, encoding as BufferEncoding) });
  await project.run(read, { path: "a.txt" });
  await project.run(write, { path: "a.txt", content: "né ☃" });
  await project.run(write, { path: "a.txt", content: "\ufeffné ☃" });
  expect(await project.disk.read("/project/a.txt")).toEqual(
    Uint8Array.from(Buffer.from(`${mark}né ☃`, encoding as BufferEncoding)),
  );
});

test("text the file's encoding cannot hold is refused", async () => {
  const project = memoryProject({ "a.txt": Buffer.from("é", "latin1") });
  await project.run(read, { path: "a.txt" });
  await expect(project.run(write, { path: "a.txt", content: "☃" })).rejects.toThrow(
    'writing /project/a.txt: the file is Windows-1252, which cannot hold "☃" (U+2603)',
  );
});

test("the mode of a file is kept", async () => {
  const project = memoryProject();
  await project.disk.apply([{ kind: "write", path: "/project/run", bytes: Buffer.of(), mode: 0o755 }]);
  await project.run(read, { path: "run" });
  await project.run(write, { path: "run", content: "x" });
  expect((await project.disk.stat("/project/run"))?.mode).toBe(0o755);
});

test("a directory is refused, and so is a path that cannot be", async () => {
  const project = memoryProject({ "d/a": "" });
  expect(await project.call(write, { path: "d", content: "" })).toEqual({
    status: "refused",
    reason: "reading /project/d: is a directory, not a file",
  });
  expect(await project.call(write, { path: "/", content: "" })).toEqual({
    status: "refused",
    reason: "resolving /: path cannot be root '/'",
  });
});

test("the preview is the diff, and nothing is written", async () => {
  const project = memoryProject({ "a.txt": "one\ntwo\n" });
  expect(await project.preview(write, { path: "a.txt", content: "one\n2\n" })).toEqual({
    title: "Write /project/a.txt",
    diff: "--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n",
  });
  expect(project.files).toEqual({ "a.txt": "one\ntwo\n" });
  expect(write.paths?.({ path: "a.txt", content: "" })).toEqual({ write: ["a.txt"] });
});

test("what a formatter makes of the file afterwards counts as read", async () => {
  const project = memoryProject();
  const input = { path: "a.txt", content: "x" };
  await write.run(input, project.access);
  await project.put("a.txt", "x;\n");
  await write.post?.(input, project.access);
  expect(await project.run(write, { path: "a.txt", content: "y" })).toBe("W /project/a.txt (1 bytes)");
});
