import { expect, test } from "vitest";
import type { ShelvedSkill } from "../../../../src/mcp/serve/served-server.ts";
import { findServer } from "../../../../src/mcp/serve/servers.ts";
import { defineTool } from "../../../../src/toolkit/tool.ts";
import { memoryProject } from "../../../helpers/memory-project.ts";
import { fakeHost, serve } from "../../../helpers/serve-host.ts";

const names = (tools: readonly { name: string }[]) => tools.map(({ name }) => name);

test("it offers what stands on tools that are there, and says what the others lack", async () => {
  const { client } = await serve("coding");
  expect(names((await client.listTools()).tools)).toEqual([
    ...["read_file", "write_file", "edit_file", "list_files", "grep", "find", "bash", "read_background_bash"],
  ]);
  const { absent } = findServer("coding").create([], undefined, fakeHost()).tools();
  expect(absent).toEqual([
    { name: "web_fetch", reason: "needs the tool WebFetch, which is not there" },
    { name: "web_search", reason: "needs the tool WebSearch, which is not there" },
    { name: "lsp_symbol", reason: "needs the tool LspSymbol, which is not there" },
    { name: "lsp_workspace_search", reason: "needs the tool LspWorkspaceSearch, which is not there" },
    { name: "lsp_document", reason: "needs the tool LspDocument, which is not there" },
    { name: "lsp_check_errors", reason: "needs the tool Diagnostics, which is not there" },
    { name: "lsp_rename", reason: "needs the tool LspRename, which is not there" },
  ]);
});

test("a tool that another part brings is offered by itself, in the next listing", async () => {
  const webFetch = defineTool({
    name: "WebFetch",
    description: "Fetches.",
    input: { type: "object", properties: { url: { type: "string" } }, required: ["url"] },
    run: async ({ url }) => `fetched ${url}`,
  });
  const brought: (typeof webFetch)[] = [];
  const { client, call } = await serve("coding", [], { host: fakeHost({ brought }) });
  expect(await call("web_fetch", { url: "x" })).toBe("ERROR web_fetch: needs the tool WebFetch, which is not there");
  brought.push(webFetch);
  expect(names((await client.listTools()).tools)).toContain("web_fetch");
  expect(await call("web_fetch", { url: "x" })).toBe("fetched x");
});

test("parameters may be spelt in camel case and in snake case, and are checked either way", async () => {
  const { access } = memoryProject({ "a.txt": "one\ntwo\n" });
  const { call } = await serve("coding", [], { access });
  const shown = "1: one\n2: two\n3: \n";
  expect(await call("read_file", { filePath: "a.txt" })).toBe(shown);
  expect(await call("read_file", { file_path: "a.txt" })).toBe(shown);
  expect(await call("read_file", { file_path: "a.txt", offset: 0 })).toBe(
    'ERROR parameter "offset": must be at least 1\nValid parameters: filePath, limit, offset',
  );
  expect(await call("read_file", { path: "a.txt" })).toContain('unknown parameter "path"');
});

test("a file must be read before it is written or edited, whoever showed it", async () => {
  const project = memoryProject({ "a.txt": "one\ntwo\n" });
  const { call } = await serve("coding", [], { access: project.access });
  expect(await call("write_file", { filePath: "a.txt", content: "new" })).toMatch(/^ERROR .*read/s);
  expect(await call("edit_file", { filePath: "a.txt", oldString: "one", newString: "1" })).toMatch(/^ERROR .*read/s);
  await call("read_file", { filePath: "a.txt" });
  expect(await call("edit_file", { filePath: "a.txt", oldString: "one", newString: "1" })).toBe(
    "Success. Updated files:\nM /project/a.txt",
  );
  expect(project.files).toEqual({ "a.txt": "1\ntwo\n" });
});

test.each([
  ["in the middle of a line", "a b c\n", { oldString: "b", newString: "x" }, "a x c\n"],
  ["over lines", "1\n2\n3\n4\n", { oldString: "2\n3", newString: "two" }, "1\ntwo\n4\n"],
  ["whole lines away", "1\n2\n3\n", { oldString: "2\n", newString: "" }, "1\n3\n"],
  ["every place", "x1\nx2\nx3\n", { oldString: "x", newString: "y", replaceAll: true }, "y1\ny2\ny3\n"],
  ["the final line end away", "1\n2\n", { oldString: "2\n", newString: "2" }, "1\n2"],
  ["everything away", "1\n", { oldString: "1\n", newString: "" }, ""],
  ["dollar signs as they are", "1\n", { oldString: "1", newString: "$& $1" }, "$& $1\n"],
  ["in a file with DOS line ends", "1\r\n2\r\n3\r\n", { oldString: "1\n2", newString: "a\nb" }, "a\r\nb\r\n3\r\n"],
  ["without a final line end", "1\n2", { oldString: "2", newString: "two" }, "1\ntwo"],
])("edit_file replaces %s", async (_what, before, edit, after) => {
  const project = memoryProject({ "a.txt": before });
  const { call } = await serve("coding", [], { access: project.access });
  await call("read_file", { filePath: "a.txt" });
  expect(await call("edit_file", { filePath: "a.txt", ...edit })).not.toMatch(/^ERROR/);
  expect(project.files["a.txt"]).toBe(after);
});

test("edit_file refuses a text that is there twice, not there, or not changed", async () => {
  const project = memoryProject({ "a.txt": "x\nx\n" });
  const { call } = await serve("coding", [], { access: project.access });
  await call("read_file", { filePath: "a.txt" });
  expect(await call("edit_file", { filePath: "a.txt", oldString: "x", newString: "y" })).toBe(
    "ERROR oldString occurs 2 times in a.txt: give more of its surroundings, or set replaceAll to change all",
  );
  expect(await call("edit_file", { filePath: "a.txt", oldString: "z", newString: "y" })).toContain("was not found");
  expect(await call("edit_file", { filePath: "a.txt", oldString: "x", newString: "x" })).toContain(
    "nothing would change",
  );
  expect(project.files).toEqual({ "a.txt": "x\nx\n" });
});

test("list_files leaves hidden names out until asked", async () => {
  const { access } = memoryProject({ "a.txt": "", ".env": "", "src/b.ts": "" });
  const { call } = await serve("coding", [], { access });
  expect(await call("list_files")).toBe("src/\na.txt");
  expect(await call("list_files", { include_hidden: true })).toBe("src/\n.env\na.txt");
});

test("a root folder is where relative paths begin, for reading and for bash", async () => {
  const { access } = memoryProject(
    { "lib/a.txt": "in lib\n", "a.txt": "here\n" },
    {
      shell: {
        exec: async (script, { cwd }) => ({
          kind: "exited",
          code: 0,
          stdout: `${script} in ${cwd}`,
          stderr: "",
          capped: false,
        }),
      },
    },
  );
  const { call } = await serve("coding", ["--root-dir", "lib"], { access });
  expect(await call("read_file", { filePath: "a.txt" })).toBe("1: in lib\n2: \n");
  expect(await call("bash", { command: "pwd" })).toBe("pwd in /project/lib");
});

test("policy is told which built-in call each amounts to", () => {
  const { present } = findServer("coding").create(["--root-dir", "/r"], undefined, fakeHost()).tools();
  const same = (name: string, input: object) => present.find(({ tool }) => tool.name === name)!.tool.sameAs!(input);
  expect(same("bash", { command: "rm x" })).toEqual({
    tool: "Bash",
    input: { command: "rm x", workdir: "/r", timeout_ms: 120_000 },
  });
  expect(same("write_file", { filePath: "a", content: "c" })).toEqual({
    tool: "Write",
    input: { path: "/r/a", content: "c" },
  });
  expect(same("read_file", { filePath: "/a", offset: 3, limit: 2 })).toEqual({
    tool: "Read",
    input: { path: "/a", line_start: 3, line_end: 4 },
  });
  expect(same("edit_file", { filePath: "a", oldString: "1\n2", newString: "3" })).toEqual({
    tool: "Patch",
    input: { patch: "*** Begin Patch\n*** Update File: /r/a\n@@\n-1\n-2\n+3\n*** End Patch" },
  });
});

test("bash prints its lines as progress, and ends when the client cancels", async () => {
  let stopped = false;
  const { access } = memoryProject(
    {},
    {
      shell: {
        exec: (_script, { onLine, signal }) =>
          new Promise((resolve) => {
            onLine?.("first line", "stdout");
            signal.addEventListener("abort", () => {
              stopped = true;
              resolve({ kind: "cancelled", stdout: "", stderr: "", capped: false });
            });
          }),
      },
    },
  );
  const { client } = await serve("coding", [], { access });
  const cancel = new AbortController();
  const lines: unknown[] = [];
  const call = client.callTool({ name: "bash", arguments: { command: "sleep 9" } }, undefined, {
    signal: cancel.signal,
    onprogress(progress) {
      lines.push(progress);
      cancel.abort();
    },
  });
  await expect(call).rejects.toThrow();
  expect(lines).toEqual([{ progress: 1, message: "first line" }]);
  await expect.poll(() => stopped).toBe(true);
});

test("the rules of a folder come with the first file they fit, once, and again when a compaction took them away", async () => {
  const rule: ShelvedSkill = {
    name: "typescript",
    description: "",
    tags: [],
    userInvocable: false,
    agentInvocable: true,
    mayRun: true,
    readGlobs: ["src/**/*.{ts,tsx}"],
    read: async () => "No any.",
    files: async () => [],
  };
  const asked: (readonly string[])[] = [];
  const skills = {
    read: async (dirs: readonly string[]) => {
      asked.push(dirs);
      return [rule];
    },
  };
  const { access } = memoryProject({ "src/a.ts": "a", "src/b.ts": "b", "c.md": "c" });
  const { call } = await serve("coding", ["--rules-dir", "rules"], { access, host: fakeHost({ skills }) });
  expect(await call("read_file", { filePath: "c.md" })).toBe("1: c");
  expect(await call("read_file", { filePath: "src/a.ts" })).toBe("1: a\n\n[rule typescript]\nNo any.\n");
  expect(await call("read_file", { filePath: "src/b.ts" })).toBe("1: b");
  expect(asked).toEqual([["/project/rules"]]);

  let said = "";
  const view = () => ({ at: said, holds: (text: string) => said.includes(text) });
  const later = await serve("coding", ["--rules-dir", "rules"], { access, host: fakeHost({ skills, view }) });
  const read = () => later.call("read_file", { filePath: "src/a.ts" });
  said = await read();
  expect(said).toContain("No any.");
  expect(await read()).toBe("1: a");
  said = "what was said, in short"; // compacted
  expect(await read()).toContain("No any.");
  expect(await read()).toBe("1: a");
});

test("permission modes name what wants a yes, and nothing else", () => {
  const asksOf = (...args: string[]) => {
    const { present } = findServer("coding").create(args, undefined, fakeHost()).tools();
    return (name: string, input: object = {}) => present.find(({ tool }) => tool.name === name)!.tool.asks?.(input);
  };
  expect(asksOf()("bash", { command: "rm x" })).toBeUndefined();
  const auto = asksOf("--permission-mode", "auto");
  expect(auto("bash", { command: "cat arms.txt" })).toBeUndefined();
  expect(auto("bash", { command: "ls && rm x" })).toBe(
    "the server's permission mode is auto, and this may destroy: rm x",
  );
  expect(auto("write_file")).toBeUndefined();
  const always = asksOf("--permission-mode=always-ask");
  expect(["write_file", "edit_file", "bash"].map((name) => always(name))).toEqual(
    Array(3).fill("the server's permission mode is always-ask"),
  );
  expect(always("read_file")).toBeUndefined();
});

test.each([
  [
    ["--root"],
    'coding: unknown argument "--root"; it takes --root-dir <path>, --rules-dir <path> (repeatable), --permission-mode <always-allow|auto|always-ask>, --disable-lsp',
  ],
  [["--root-dir"], "coding: --root-dir needs a value"],
  [
    ["--permission-mode", "never"],
    'coding: --permission-mode is "never", but must be one of always-allow, auto, always-ask',
  ],
  [["--disable-lsp=no"], "coding: --disable-lsp takes no value"],
  [["stray"], 'coding: unknown argument "stray"'],
])("%j is refused with what it takes", (args, message) => {
  expect(() => findServer("coding").create(args, undefined, fakeHost())).toThrow(message);
});

test("a server that is none of ours is named with those there are", () => {
  expect(() => findServer("codng")).toThrow(
    'there is no in-memory server "codng". Did you mean "coding"? There are: coding, lsp, skills, tasks, subagents, survey, plan',
  );
});
