import { afterAll, beforeAll, expect, test } from "vitest";
import { makeWorkspace, type Workspace } from "../shell-corpus.ts";

let workspace: Workspace;
beforeAll(() => {
  workspace = makeWorkspace();
});
afterAll(() => workspace.remove());

/** One of the parsers alone does not come back from some of these. */
test.each(["$((", "((", "${x:-", '"$(', "`", "<<E\n", "{", "[[ ", "a=(", "$(( (("])(
  "a text that is no sound script is refused, however long it goes on: %j",
  async (text) => {
    expect((await workspace.bash(text.repeat(2000))).shell?.reading.kind).toBe("unreadable");
  },
);

test("64 KB of script are read whole", async () => {
  const script = "echo 'hello world' && grep -n foo README.md | head -5\n".repeat(1214);
  expect(script.length).toBeGreaterThan(65_000);
  expect((await workspace.bash(script)).shell?.reading.kind).toBe("read");
});
