import { readFileSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { isOutdated, loadConfig } from "../../../src/config/load.ts";
import { load, loadHomes, problemsOf, scratch, settle } from "./homes-fixture.ts";

const AGENT = (name: string, head = "", body = "") => `---\nname: ${name}\n${head}---\n${body}`;

describe("without configuration", () => {
  test("the built-in agent asks before commands and changes", async () => {
    const settings = settle(await load({}));
    expect(settings.agent.name).toBe("aura");
    expect(settings.policy).toEqual({
      auto: [],
      confirm: ["Bash", "Mkdir", "Patch", "Write"].map((pattern) => ({ pattern, from: "built-in" })),
      deny: [],
    });
    expect(settings.toolSettings.bash.timeoutMs).toBe(120_000);
  });

  test("the modules it needs import no package", () => {
    const seen = new Set<string>();
    const packages = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const source = readFileSync(file, "utf8");
      for (const [, specifier] of source.matchAll(/^(?:import|export) (?!type\b)[^;]*?from "([^"]+)"/gm)) {
        if (specifier!.startsWith(".")) visit(resolve(dirname(file), specifier!));
        else if (!specifier!.startsWith("node:")) packages.add(`${file}: ${specifier}`);
      }
    };
    for (const start of ["load", "resolve", "compose-prompt", "prompt-data", "override", "show"]) {
      visit(resolve(import.meta.dirname, `../../../src/config/${start}.ts`));
    }
    expect([...packages]).toEqual([]);
    expect(seen.size).toBeGreaterThan(10);
  });
});

describe("homes", () => {
  test("a later home replaces a whole entity, ignoring case", async () => {
    const config = await loadHomes(
      {
        "global/config/agents/a.md": AGENT("Coder", "description: global\nmode: x\n", "global body"),
        "p1/config/agents/deep/er/b.md": AGENT("coder", "description: project\n"),
      },
      ["p1"],
    );
    expect([...config.agents.values()].map(({ name, value, scope, body }) => ({ name, value, scope, body }))).toEqual([
      { name: "coder", value: { name: "coder", description: "project" }, scope: "project", body: "" },
    ]);
  });

  test("features merge field by field, lists replace, and remember who wrote them", async () => {
    const config = await loadHomes(
      {
        "global/config/features/a.yaml": "tools:\n  max_steps: 7\n  opt_in: [A, B]\n  disabled:\n    - X\n",
        "p1/config/features/a.yaml": "tools:\n  token_budget: 9\n  opt_in: [C]\n",
      },
      ["p1"],
    );
    const { features, tools } = settle(config);
    expect([features.tools.max_steps, features.tools.token_budget, features.tools.opt_in]).toEqual([7, 9, ["C"]]);
    const [global, project] = [config.homes.global!, config.homes.projects[0]!];
    expect(tools.optIn).toEqual([{ value: "C", file: join(project, "config/features/a.yaml"), line: 3 }]);
    expect(tools.layers[0]!.disabled).toEqual([{ value: "X", file: join(global, "config/features/a.yaml"), line: 5 }]);
  });

  test("within a home sandbox files come before features", async () => {
    const config = await load({
      "config/features/a.yaml": "sandbox: { restrictions: { ro: [from-features] } }",
      "config/sandbox/z.yaml": "sandbox: { enabled: true, restrictions: { ro: [from-sandbox], rw: [w] } }",
    });
    expect(settle(config).features.sandbox).toEqual({
      enabled: true,
      restrictions: { ro: ["from-features"], rw: ["w"] },
      extra: { ro: [], rw: [] },
      network: "inherit",
    });
  });

  test("examples, hidden files and README.md are not read, links are", async () => {
    const root = await scratch({
      "h/config/agents/x.example.md": "---\nnonsense: [\n---\n",
      "h/config/agents/.swp.md": "---\nnonsense: [\n---\n",
      "h/config/agents/README.md": "# About",
      "elsewhere/linked.md": AGENT("linked"),
    });
    await symlink(join(root, "elsewhere"), join(root, "h/config/agents/more"));
    await symlink(join(root, "h/config/agents"), join(root, "elsewhere/loop"));
    const config = await loadConfig({ home: join(root, "h"), projects: [], userHome: root, cwd: root });
    expect([[...config.agents.keys()], config.problems]).toEqual([["linked"], []]);
  });

  test("a config with no agent keeps the built-in one and its long command timeout", async () => {
    const config = await load({ "config/features/t.yaml": "tools: { max_steps: 3 }" });
    expect(settle(config)).toMatchObject({
      agent: { name: "aura" },
      limits: { maxSteps: 3 },
      toolSettings: { bash: { timeoutMs: 120_000 } },
    });
  });

  test("a config with agents has only those, and the timeout of the schema", async () => {
    const config = await load({ "config/agents/a.md": AGENT("mine") });
    expect(settle(config)).toMatchObject({ agent: { name: "mine" }, toolSettings: { bash: { timeoutMs: 15_000 } } });
    expect([...config.agents.keys()]).toEqual(["mine"]);
    expect(settle(config).policy).toEqual({ auto: [], confirm: [], deny: [] });
  });

  test("it is outdated once a file is written, added or removed", async () => {
    const root = await scratch({ "config/agents/a.md": AGENT("a") });
    const options = { home: root, projects: [], userHome: root, cwd: root };
    const config = await loadConfig(options);
    expect(await isOutdated(config, options)).toBe(false);
    await writeFile(join(root, "config/agents/b.md"), AGENT("b"));
    expect(await isOutdated(config, options)).toBe(true);
  });

  test("it is outdated once a home with files appears that was not there before", async () => {
    const root = await scratch({ "project/x": "" });
    const options = { home: "", userHome: root, cwd: join(root, "project") };
    const config = await loadConfig(options);
    await mkdir(join(root, "project/.aura/config/agents"), { recursive: true });
    expect(await isOutdated(config, options)).toBe(false);
    await writeFile(join(root, "project/.aura/config/agents/a.md"), AGENT("a"));
    expect(await isOutdated(config, options)).toBe(true);
  });
});

describe("rules", () => {
  test("every file of every home is read, with scope and line", async () => {
    const config = await loadHomes(
      {
        "global/config/rules/approvals.yaml": "# mine\ntool_auto:\n  - Bash:git commit*\n",
        "p1/config/rules/team/more.yml": "tool_auto: [Read, 'Write:/tmp/*']\n",
      },
      ["p1"],
    );
    const file = join(config.homes.projects[0]!, "config/rules/team/more.yml");
    expect(config.approvals).toEqual([
      {
        value: "Bash:git commit*",
        scope: "global",
        file: join(config.homes.global!, "config/rules/approvals.yaml"),
        line: 3,
      },
      { value: "Read", scope: "project", file, line: 1 },
      { value: "Write:/tmp/*", scope: "project", file, line: 1 },
    ]);
  });
});

describe("problems", () => {
  test("all of them are reported, with file, line and the nearest known key", async () => {
    const config = await load({
      "config/agents/a.md": AGENT("a", "modle: {}\ntools:\n  enabld: []\n  policy:\n    cofirm: []\n"),
      "config/agents/b.md": "---\ndescription: nameless\n---\n",
      "config/agents/c.md": "---\nname: [\n---\n",
      "config/agents/d.md": "---js\nmodule.exports = {}\n---\n",
      "config/features/f.yaml": "tools:\n  max_step: 5\ncompactoin: {}\n",
      "config/features/g.yaml": "tools:\n  max_steps: many\n  mode: percent\n  bash: { timeout: soon }\n",
      "config/providers/p.yaml": "x:\n  type: opnai\ny:\n  timeout: 5m\n",
      "config/rules/r.yaml": "tool_auto: Bash\ntool_deny: []\n",
      "config/hooks/h.yaml": 'h:\n  event: post\n  command: x\n  matcher: "("\n',
      "config/mcp/m.yaml": "- a list\n",
    });
    expect(problemsOf(config).toSorted()).toEqual(
      [
        'config/agents/a.md:3: unknown key "modle" (did you mean "model"?)',
        'config/agents/a.md:5: unknown key "enabld" in tools (did you mean "enabled"?)',
        'config/agents/a.md:7: unknown key "cofirm" in tools.policy (did you mean "confirm"?)',
        'config/agents/b.md:1: "name" is missing',
        "config/agents/c.md:2: Flow sequence in block collection must be sufficiently indented and end with a ]",
        'config/agents/d.md:1: front matter must be YAML; "---js" is refused and was not run',
        'config/features/f.yaml:2: unknown key "max_step" in tools (did you mean "max_steps"?)',
        'config/features/f.yaml:3: unknown key "compactoin" (did you mean "compaction"?)',
        'config/features/g.yaml:2: tools.max_steps: expected a number, found "many"',
        'config/features/g.yaml:3: tools.mode: expected one of percentage, tokens, found "percent"',
        "config/features/g.yaml:4: tools.bash.timeout: expected a duration such as 10s or 5m, or a number of milliseconds",
        'config/providers/p.yaml:2: x: type: expected one of anthropic, codex, copilot, google, llamacpp, ollama, openai, openai-compatible, openrouter, scripted, found "opnai" (did you mean "openai"?)',
        'config/providers/p.yaml:3: y: "type" is missing',
        'config/rules/r.yaml:1: tool_auto: expected a list, found "Bash"',
        'config/rules/r.yaml:2: unknown key "tool_deny" (known: tool_auto)',
        "config/hooks/h.yaml:4: h: matcher: not a regular expression",
        "config/mcp/m.yaml:1: expected a map of names and their settings",
      ].toSorted(),
    );
  });

  test("names that point nowhere are found", async () => {
    const config = await load({
      "config/agents/a.md": AGENT("a", "system: Agentik\nmode: Plan\nmodel: {provider: opnai}\nfallback: [b]\n"),
      "config/agents/c.md": AGENT("c", "inherit: [zz]\nfeatures: {title: {agent: nobody}}\n"),
      "config/prompts/p.md": AGENT("Agentic"),
      "config/modes/m.md": AGENT("plan"),
      "config/features/f.yaml": "compaction:\n  agent: A\n  prompt: Lost\n",
    });
    expect(problemsOf(config).toSorted()).toEqual(
      [
        'config/agents/a.md:3: agent a: system: there is no prompt "Agentik" (did you mean "Agentic"?)',
        'config/agents/a.md:5: agent a: model.provider: there is no provider "opnai" (did you mean "openai"?)',
        'config/agents/a.md:6: agent a: fallback.0: there is no agent "b" (did you mean "a"?)',
        'config/agents/c.md:3: c: inherits from "zz", which does not exist',
        'config/agents/c.md:4: agent c: features.title.agent: there is no agent "nobody"',
        'config/features/f.yaml:3: compaction.prompt: there is no prompt "Lost"',
      ].toSorted(),
    );
  });

  test("two default agents are one too many", async () => {
    const config = await load({
      "config/agents/a.md": AGENT("a", "default: true\n"),
      "config/agents/b.md": AGENT("b", "default: true\n"),
    });
    expect(problemsOf(config)).toEqual(['config/agents/b.md:3: agent b: "a" is already the default agent']);
  });

  test("a key written twice is one", async () => {
    const config = await load({ "config/features/f.yaml": "title: {}\ntitle: {}\n" });
    expect(problemsOf(config)).toEqual(["config/features/f.yaml:2: Map keys must be unique"]);
  });

  test("aliases that point nowhere and alias bombs are problems", async () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [name, before] of ["ba", "cb", "dc", "ed"].map((pair) => [...pair])) {
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(", ")}]`);
    }
    const config = await load({ "config/features/a.yaml": "title: *none\n", "config/mcp/b.yaml": bomb.join("\n") });
    expect(problemsOf(config).map((text) => text.split(":")[0])).toEqual([
      "config/features/a.yaml",
      "config/mcp/b.yaml",
    ]);
  });

  test("a condition is checked where it is written", async () => {
    const config = await load({
      "config/tools/t.yaml": "Bash: {condition: 'model_has:vision and not todo_emty'}\nLs:\n  condition: turns_gt:x\n",
    });
    expect(problemsOf(config)).toEqual([
      'config/tools/t.yaml:1: Bash: condition: unknown condition "todo_emty" (did you mean "todo_empty"?)',
      'config/tools/t.yaml:3: Ls: condition: condition "turns_gt": "x" is not an integer',
    ]);
  });

  test("empty files and empty keys are fine", async () => {
    const config = await load({
      "config/features/a.yaml": "",
      "config/features/b.yaml": "# only a comment\n",
      "config/features/c.yaml": "tools:\n  parallel: # unset\n",
      "config/providers/p.yaml": "",
    });
    expect([config.problems, settle(config).features.tools.parallel]).toEqual([[], true]);
  });

  test("what has no effect yet is said once a kind", async () => {
    const config = await load({
      "config/lsp/l.yaml": "gopls: { command: gopls }\nts: { command: ts }\n",
      "config/features/f.yaml": "vision: { quality: 5 }\nguardrail: { timeout: 2m }\n",
    });
    expect(config.notices).toEqual([
      "lsp (2): read and checked, without effect in this version yet",
      "features guardrail, vision: read and checked, without effect in this version yet",
    ]);
  });

  test("a feature without effect yet is said also when an agent or a mode sets it", async () => {
    const config = await load({
      "config/agents/a.md": "---\nname: A\nfeatures: { guardrail: { mode: block } }\n---\n",
      "config/modes/m.md":
        "---\nname: M\nfeatures: { sandbox: { enabled: true }, tools: { webfetch_max_body_size: 9 } }\n---\n",
    });
    expect(config.notices).toEqual([
      "features guardrail, tools.webfetch_max_body_size: read and checked, without effect in this version yet",
    ]);
  });
});
