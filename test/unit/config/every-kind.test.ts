import { expect, test } from "vitest";
import { loadConfig } from "../../../src/config/load.ts";
import { renderTask } from "../../../src/config/task-template.ts";
import { load, scratch, settle } from "./homes-fixture.ts";

// A home with every kind and every field, written with the constructs that the original's samples use.
const HOME: Readonly<Record<string, string>> = {
  "config/agents/team/reviewer.md": `---
# A comment in the head.
name: Reviewer
inherit: [Ground]
description: Reads — never writes.
model:
  provider: anthropic
  name: some-model
  think: medium
  context: 64000
  generation:
    temperature: 0.2
    top_p: 0.8
    top_k: 30
    frequency_penalty: 0.0
    presence_penalty: 0.0
    max_output_tokens: 900
    think_budget: 500
    stop: ["END", "---"]
    seed: 7
response_format:
  type: json_schema
  name: findings
  schema:
    type: object
    properties: { line: { type: integer } }
    required: [line]
  strict: true
thinking: strip
tools:
  enabled: ["*"]
  disabled: [Write, mcp__*]
  policy:
    auto: [Read]
    confirm: ["Bash:npm test*"]
    deny: ["Bash:rm *"]
hooks: { enabled: [], disabled: ["go:*"] }
system: Main
mode: Look
hide: false
default: false
subagent: true
fallback: [Ground]
agentsmd: local
files:
  - notes.md
  - "{{ .Config.Global }}/shared.md"
features:
  compaction: { threshold: 70, agent: Ground }
  sandbox: { enabled: true, extra: { ro: [/var/log] } }
---

Body.
`,
  "config/agents/ground.md":
    "---yaml\nname: Ground\ndefault: true\nmodel: {provider: local, name: 'm:20b', think: false}\ntools: {disabled: ['*']}\n---\nGround.\n",
  "config/modes/look.md":
    "---\nname: Look\ntools: {disabled: [Patch]}\nhooks: {disabled: [fmt]}\nfeatures: {snapshot: {disabled: true}, guardrail: {mode: log}, subagent: {max_steps: 10}}\n---\nLook.\n",
  "config/prompts/main.md": '---\nname: Main\ndescription: d\n---\n{{ template "agent" . }}\n',
  "config/features/all.yaml": `
compaction: { threshold: 80, max_tokens: 0, trim_threshold: 50, trim_max_tokens: 0, keep_last_messages: 10, chunks: 3, agent: Ground, prompt: "", tool_result_max_length: 200, truncation_retries: [150, 0], prune: { mode: iteration, protect_percent: 30, arg_threshold: 200 } }
title: { disabled: false, agent: Ground, prompt: "", max_length: 40 }
thinking: { agent: Ground, prompt: "", keep_last: 5, token_threshold: 300 }
vision: { agent: Ground, dimension: 512, quality: 70 }
stt: { agent: Ground, language: en }
tts: { agent: Ground, voice: v, format: mp3, speed: 1.0 }
embeddings: { agent: Ground, max_results: 5, gitignore: "vendor/", offload: true, chunking: { strategy: ast, max_tokens: 5, overlap_tokens: 1 }, reranking: { agent: Ground, multiplier: 4, offload: true } }
tools:
  mode: tokens
  result: { max_tokens: 200, max_percentage: 90 }
  read_small_file_tokens: 4000
  max_steps: 200
  token_budget: 0
  rejection_message:
    >-
    Too large (%d tokens, limit %d).
  bash:
    truncation: { max_output_bytes: 0, max_lines: 0, head_lines: 0, tail_lines: 0 }
    rewrite: |
      {{- if contains "lint" .Command -}}
        {{ .Command }}
      {{- else -}}
        box {{ .Command }}
      {{- end -}}
  webfetch_max_body_size: 1024
  user_input_max_percentage: 0
  read_before: { write: true, delete: true }
  enabled: []
  disabled: []
  policy: { auto: [], confirm: [], deny: [] }
  opt_in: [Ask]
  deferred: ["mcp__*"]
  parallel:
estimation: { method: native, divisor: 3, encoding: cl100k_base }
plugins: { dir: p, unsafe: false, include: [], exclude: ["x-*"], config: { global: { level: info }, local: { a: { b: 1 } } } }
subagent: { max_steps: 25, default_agent: Reviewer }
mcp: { enabled: [], disabled: [echo] }
guardrail: { mode: block, on_error: allow, timeout: 2m, scope: { tool_calls: { agent: Ground, prompt: "" }, user_messages: { agent: Ground, prompt: "" } }, tools: { enabled: [Bash], disabled: [] } }
snapshot: { disabled: false }
`,
  "config/sandbox/s.yaml": "sandbox:\n  enabled: true\n  restrictions:\n    ro: [/bin]\n    rw: [$HOME/.cache]\n",
  "config/providers/p.yaml": `
local: { url: "http://localhost:1", type: ollama, keep_alive: 15m, timeout: 5m, models: { include: ["q*"], exclude: ["*embed*"] }, capabilities: [chat, embed] }
router: { type: openrouter, token: $KEY, retry: { max_attempts: 3, base_delay: 2s, max_delay: 1m30s } }
`,
  "config/tools/t.yaml": `
Read:
  description: >
    Reads.
  usage: With a path.
  examples: |
    { "path": "a" }
Ls: { override: true }
Vision: { condition: "model_has:vision and not todo_empty", parallel: false, disabled: true }
`,
  "config/hooks/h.yaml": `
fmt: { description: formats, event: post, matcher: "Patch|Write", files: "*.{js,ts}", command: "x $FILE", timeout: 15, silent: true, disabled: false }
lint: { inherit: [fmt], depends: [fmt], silent: false, command: "y" }
`,
  "config/mcp/m.yaml": `
docs: { type: http, url: "https://x/mcp", headers: { KEY: "$KEY" }, timeout: 30s, deferred: true, disabled: false }
files: { command: npx, args: [-y, "@x/y"], env: { PORT: 8080 }, condition: "model_params_gt:7" }
`,
  "config/lsp/l.yaml":
    "py: { command: pyright, args: [--stdio], file_types: [py], root_markers: [setup.py], settings: { a: { b: [1] } }, init_options: {}, timeout: 45, disabled: false }\n",
  "config/commands/c.md": "---\nname: explain\ndescription: d\nhints: <file> [depth]\n---\nExplain $1. $ARGUMENTS\n",
  "skills/deep/s.md": "---\nname: refactor\ndescription: >\n  When to\n  use it.\n---\n# Steps\n",
  "plugins/breaker/plugin.yaml":
    'description: d\ndisabled: false\noverride: false\nopt_in: true\ncondition: "tool_errors_gt:3"\nonce: false\nenv: [A]\nconfig: { max: 3, reset: 60s }\n',
  "config/tasks/t.yaml": `# {{ }} makes structure, $[[ ]] is for the run
nightly:
  description: d
  schedule: "daily: 09:00"
  timeout: 15m
  agent: Ground
  mode: Look
  session: s
  workdir: /w
  disabled: false
  tools: { enabled: [Read], disabled: [] }
  features: { tools: { max_steps: 30 } }
  # in {{ }} and $[[ ]]
  vars: { DAYS: 30 }
  env: { REPORT: "$[[ .Workdir ]]/r.md" }
  env_file: [secrets.env]
  pre: [mkdir -p x]
  commands:
    - |
      # Report {{ .WHO }}
      Look at $[[ .Item ]].
    {{- range until 2 }}
    - /assert not exists:/tmp/x
    {{- end }}
  on_max_steps: [echo max]
  post: [cat x]
  foreach: { shell: "find . -exec dirname {} \\\\;", continue_on_error: true, retries: 1 }
  finally: [done]
second: { inherit: [nightly], schedule: "" }
`,
};

test("every field of every kind is read without a complaint", async () => {
  const root = await scratch(HOME);
  const config = await loadConfig({ home: root, projects: [], userHome: root, cwd: root, vars: { WHO: "me" } });
  expect(config.problems).toEqual([]);

  expect(config.tasks.get("second")!.value).toMatchObject({
    schedule: "daily: 09:00",
    timeout: 900_000,
    vars: { DAYS: "30" },
    commands: ["# Report me\nLook at $[[ .Item ]].\n", "/assert not exists:/tmp/x", "/assert not exists:/tmp/x"],
  });
  expect(config.hooks.get("lint")!.value).toMatchObject({
    event: "post",
    files: "*.{js,ts}",
    silent: false,
    command: "y",
  });
  expect(config.mcp.get("files")!.value).toMatchObject({ env: { PORT: "8080" } });
  expect(config.skills.get("refactor")!.value.description).toBe("When to use it.\n");
  expect(config.plugins.get("breaker")!.value.config).toEqual({ max: 3, reset: "60s" });

  const { features, model, agent, tools } = settle(config, { agent: "reviewer" });
  expect(agent).toMatchObject({ thinking: "strip", agentsmd: "local", subagent: true });
  expect(tools.layers.map(({ layer }) => layer)).toEqual(["global", "agent", "mode"]);
  expect(model).toMatchObject({
    think: "medium",
    generation: { temperature: 0.2, frequencyPenalty: 0, stop: ["END", "---"], seed: 7, thinkBudget: 500 },
    responseFormat: { type: "json_schema", name: "findings", strict: true },
  });
  expect(features).toMatchObject({
    compaction: { threshold: 70, chunks: 3, prompt: "" },
    tools: {
      rejection_message: "Too large (%d tokens, limit %d).",
      bash: { truncation: { max_output_bytes: 0, max_lines: 0, head_lines: 0, tail_lines: 0 } },
      user_input_max_percentage: 0,
      parallel: true,
    },
    sandbox: {
      enabled: true,
      restrictions: { ro: ["/bin"], rw: ["$HOME/.cache"] },
      extra: { ro: ["/var/log"], rw: [] },
    },
    guardrail: { mode: "log", timeout: 120_000 },
    subagent: { max_steps: 10, default_agent: "Reviewer" },
    snapshot: { disabled: true },
  });
});

test("a task's comments may show braces, its texts keep their # lines", async () => {
  const text = "# {{ }}\na:\n  # {{ if }}\n  b: |\n    # head {{ .X }}\n  c: >-\n\n    # x\n  d: 1 # {{ .X }}\n";
  expect(await renderTask(text, "t.yaml", { X: "1" })).toEqual({
    text: "\na:\n\n  b: |\n    # head 1\n  c: >-\n\n    # x\n  d: 1 # 1\n",
  });
});

test("a task that is no template is a problem with its line", async () => {
  const config = await load({ "config/tasks/t.yaml": "a:\n  commands:\n    - x {{ if }}\n" });
  expect(config.problems.map(({ line, message }) => [line, message])).toEqual([
    [3, expect.stringMatching(/^template: /)],
  ]);
});
