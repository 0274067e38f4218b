import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { approvalsFile, loadApprovals, openApprovals } from "../../../src/policy/approvals.ts";
import { readApprovals } from "../../../src/policy/approvals-file.ts";
import { judge } from "../../../src/policy/judge.ts";

let home: string;
let file: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "aura-approvals-"));
  file = approvalsFile(home);
});
afterEach(() => rm(home, { recursive: true }));

const put = async (text: string) => {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
};
const textOf = () => readFile(file, "utf8");

describe("saving", () => {
  test("makes folder and file, sorted by byte value and once", async () => {
    const approvals = openApprovals({ project: file }, []);
    for (const pattern of ["mcp__*", "Read:/etc/*", "Bash:git commit*", "Read:/etc/*", "Éa", "Bash:Zed*"])
      expect(await approvals.remember("project", pattern)).toBeUndefined();
    expect(await textOf()).toBe(
      "tool_auto:\n    - Bash:Zed*\n    - Bash:git commit*\n    - Read:/etc/*\n    - mcp__*\n    - Éa\n",
    );
    expect((await stat(file)).mode & 0o777).toBe(0o644);
    expect(await readdir(dirname(file))).toEqual(["approvals.yaml"]);
  });

  test("counts at once, in this process", async () => {
    const approvals = openApprovals({ project: file }, []);
    const policy = { auto: [], confirm: [{ pattern: "Bash", from: "agent" as const }], deny: [] };
    const kind = () =>
      judge({ tool: "Bash", input: { command: "git push -f" }, cwd: "/w", home: "/h" }, policy, approvals);
    expect(kind().kind).toBe("confirm");
    await approvals.remember("project", "Bash:git push*");
    expect(kind()).toEqual({ kind: "auto", because: { rule: "Bash:git push*", from: "project", file, line: 2 } });
  });

  test("keeps the person's comments beside their patterns", async () => {
    await put("# ours\ntool_auto:\n    # about b\n    - Bash:b* # yes\n\n    # about d\n    - Bash:d*\n    # end\n");
    await openApprovals({ project: file }, []).remember("project", "Bash:a*");
    await openApprovals({ project: file }, []).remember("project", "Bash:c*");
    expect(await textOf()).toBe(
      "# ours\ntool_auto:\n    - Bash:a*\n    # about b\n    - Bash:b* # yes\n    - Bash:c*\n\n    # about d\n    - Bash:d*\n    # end\n",
    );
  });

  test("sorts what was not, and puts a heading above the list for good", async () => {
    await put("# mine\ntool_auto: # approved\n  # reads\n  - Read\n  - Bash:b*\n  - Read\n");
    for (const pattern of ["Ls", "A"]) await openApprovals({ global: file }, []).remember("global", pattern);
    expect(await textOf()).toBe(
      "# mine\n# approved\ntool_auto:\n    - A\n    - Bash:b*\n    - Ls\n    # reads\n    - Read\n",
    );
  });

  test.each(["", "# only a comment\n", "tool_auto:\n", "tool_auto: []\n", "{}\n"])("begins from %j", async (text) => {
    await put(text);
    expect(await openApprovals({ project: file }, []).remember("project", "Ls")).toBeUndefined();
    expect(await readApprovals(file, "project")).toMatchObject({ kind: "rules", rules: [{ pattern: "Ls" }] });
    expect(await textOf()).toContain(text.startsWith("#") ? "# only a comment" : "tool_auto");
  });

  test("what is read back is what was saved, whatever it holds", async () => {
    const patterns = [
      "Write:/a b/c: d/*",
      "Write:/#x/*",
      "Write:/'q\"/*",
      "Write:/- x/*",
      `Write:/${"long/".repeat(60)}*`,
    ];
    const approvals = openApprovals({ project: file }, []);
    for (const pattern of patterns) await approvals.remember("project", pattern);
    expect(new Set(approvals.saved.map((rule) => rule.pattern))).toEqual(new Set(patterns));
  });

  test("also takes what others saved meanwhile", async () => {
    const [mine, theirs] = [openApprovals({ project: file }, []), openApprovals({ project: file }, [])];
    await theirs.remember("project", "Ls");
    await mine.remember("project", "Rg");
    expect(mine.saved.map((rule) => [rule.pattern, rule.line])).toEqual([
      ["Ls", 2],
      ["Rg", 3],
    ]);
  });
});

describe("not saved", () => {
  test("session approvals stay in memory", async () => {
    const approvals = openApprovals({ project: file }, []);
    expect(await approvals.remember("session", "Bash:ls*")).toBeUndefined();
    expect([...approvals.session]).toEqual(["Bash:ls*"]);
    expect(await readdir(home)).toEqual([]);
  });

  test("a pattern too wide or too exact for a file is kept for the session, with a warning", async () => {
    const approvals = openApprovals({ project: file, global: file }, []);
    for (const pattern of ["Bash", "Write:/*", "Bash:a && b"])
      expect(await approvals.remember("global", pattern)).toBe(
        `"${pattern}" is kept for this session only: saved, it is not safe`,
      );
    expect(approvals.session.size).toBe(3);
    expect(await readdir(home)).toEqual([]);
  });

  test("without a home there is a warning", async () => {
    expect(await openApprovals({}, []).remember("global", "Ls")).toBe(
      'the approval was not saved: there is no global home, "aura init" makes one',
    );
  });

  test("a broken file is named and left alone", async () => {
    await put("tool_auto:\n  - Ls\nother: 1\n");
    const approvals = openApprovals({ project: file }, []);
    expect(await approvals.remember("project", "Rg")).toBe(
      `the approval was not saved: ${file}:3: unknown key "other": only tool_auto is known`,
    );
    expect(await textOf()).toBe("tool_auto:\n  - Ls\nother: 1\n");
    expect(approvals.saved).toEqual([]);
  });

  test("a file that cannot be written is a warning", async () => {
    await writeFile(join(home, "config"), "a file where a folder should be");
    expect(await openApprovals({ project: file }, []).remember("project", "Ls")).toMatch(
      /^the approval was not saved in .*approvals\.yaml: E/,
    );
  });
});

describe("reading", () => {
  test.each([
    ["tool_auto:\n  - Ls\ntool_deny: [x]\n", 3, /unknown key "tool_deny"/],
    ["tool_auto:\n  - Ls\n  - 5\n", 3, /must be a text/],
    ["tool_auto:\n  - Ls\n  - [x]\n", 3, /must be a text/],
    ["tool_auto:\n  - Ls\n  -\n", 3, /must be a text/],
    ["tool_auto: Ls\n", 1, /must be a list/],
    ["- Ls\n", 1, /must be a mapping/],
    ["tool_auto:\n  - Ls\ntool_auto:\n  - Rg\n", 3, /unique/],
    ["tool_auto:\n  - 'Ls\n", 2, /./],
    ["a: &a Ls\ntool_auto:\n  - *a\n", 1, /unknown key "a"/],
  ])("%j grants nothing and is named with its line", async (text, line, message) => {
    await put(text);
    const { rules, problems } = await loadApprovals({ project: file, global: join(home, "none.yaml") });
    expect(rules).toEqual([]);
    expect(problems[0]).toMatchObject({ file, message: expect.stringMatching(message) });
    expect(problems[0]!.line).toBeGreaterThanOrEqual(line);
  });

  test("each rule knows its file and line", async () => {
    await put("# hi\ntool_auto:\n  - Ls\n  - Bash:git log*\n");
    expect(await loadApprovals({ global: file })).toEqual({
      problems: [],
      rules: [
        { pattern: "Ls", from: "global", file, line: 3 },
        { pattern: "Bash:git log*", from: "global", file, line: 4 },
      ],
    });
  });
});

test("twenty processes that save at once lose nothing", async () => {
  const writer = join(import.meta.dirname, "approvals-writer.ts");
  const codes = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const child = spawn(process.execPath, [writer, file, `Bash:tool${index} a*`, `Bash:tool${index} b*`]);
      return (await once(child, "exit"))[0];
    }),
  );
  expect(codes).toEqual(Array(20).fill(0));
  const saved = await readApprovals(file, "project");
  expect(saved.kind === "rules" && saved.rules.length).toBe(40);
}, 60_000);
