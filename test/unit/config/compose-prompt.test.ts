import { expect, test } from "vitest";
import {
  composePrompt,
  environmentLines,
  type PromptInput,
  templateEnvironment,
} from "../../../src/config/compose-prompt.ts";
import { type PromptFacts, promptData } from "../../../src/config/prompt-data.ts";
import { load, settle } from "./homes-fixture.ts";

const file = (name: string, head: string, body = "") => `---\nname: ${name}\n${head}---\n${body}`;

const FACTS: PromptFacts = {
  provider: "ollama",
  model: { name: "m", parameterSize: "8B", contextLength: 1000 },
  tools: { eager: ["Read", "Bash"], deferred: [] },
  sandbox: { enabled: true, requested: true, readOnly: ["/usr"], readWrite: ["/tmp"] },
  readBefore: { write: true, delete: false },
  hooks: [{ name: "fmt", description: "formats", event: "post", matcher: "", files: "", command: "x" }],
  memories: { local: "remember", global: "" },
  homes: { projects: ["/w/.aura"] },
  launchDir: "/w",
  workDir: "/w",
  vars: { who: "me" },
};

async function compose(
  files: Record<string, string>,
  more: Partial<PromptInput> & { facts?: Partial<PromptFacts>; mode?: string; system?: string } = {},
): Promise<string> {
  const { facts, mode, system, ...input } = more;
  const settings = settle(await load(files), { mode, system });
  const data = promptData(settings, { ...FACTS, ...facts });
  return composePrompt({ prompt: settings.prompt, files: [], workspace: [], data, ...input });
}

test("by default: agent, files, workspace, mode, environment", async () => {
  const text = await compose(
    { "config/agents/a.md": file("A", "mode: M\n", "I am A."), "config/modes/m.md": file("M", "", "Only look.") },
    {
      files: [{ name: "docs/x.md", text: "X of {{ .Agent }}" }],
      workspace: [{ type: "Workspace Instructions", path: "/w/AGENTS.md", text: "Use {{ .Braces }}.\n" }],
      environment: environmentLines({ platform: "linux", workDir: "/w" }),
    },
  );
  expect(text).toBe(
    [
      "I am A.",
      "### docs/x.md\n\nX of A",
      "## Workspace Instructions\n\nUse {{ .Braces }}.",
      "## Active Mode: M\n\nOnly look.",
      "# Environment\nPlatform: linux\nWorking directory: /w",
    ].join("\n\n"),
  );
});

// The constructs that the original's sample prompts, agents and modes are made of.
const COMPOSITOR = `# Top

Date: {{ now | date "2006-01-02" }}
{{- if .Sandbox.Requested }}

## Restrictions

{{ .Sandbox.Display }}
{{- end }}
{{- if .ReadBefore.Write }}

## Editing

Read first.
{{- if .ReadBefore.Delete }} Also before deleting.
{{- end }}
{{- end }}
{{- if .ToolPolicy.Display }}

## Policy

{{ .ToolPolicy.Display }}
{{- end }}
{{- if .Hooks.Display }}

## Hooks

{{ .Hooks.Display }}
{{- end }}

{{ template "agent" . }}
{{ range .Files }}

### {{ .Name }}

{{ include .TemplateName $ }}
{{ end }}
{{- range .Workspace }}

## {{ .Type }}

{{ include .TemplateName $ }}
{{ end }}
{{- if .Mode.Name }}

## Mode: {{ .Mode.Name }}

{{ template "mode" . }}
{{ end }}`;
const AGENT = file(
  "A",
  "system: Top\ntools: {policy: {deny: ['Bash:rm *']}}\n",
  "{{ if .Tools.Eager -}}\nTools:\n{{ range .Tools.Eager }}- {{ . }}\n{{ end }}No other tools.\n{{ else -}}\nNo tools.\n{{ end -}}\n{{ if .Tools.Deferred }}\n{{ .Tools.Deferred }}\n{{ end -}}",
);

test("a compositor prompt decides the order and what is shown", async () => {
  const text = await compose(
    {
      "config/agents/a.md": AGENT,
      "config/prompts/t.md": file("Top", "", COMPOSITOR),
      "config/modes/m.md": file("M", "", "mode of {{ .Agent }}, {{ .Model.ParameterSize }}"),
    },
    {
      mode: "m",
      files: [{ name: "a.md", text: "file by {{ .Provider }}" }],
      workspace: [{ type: "Workspace Instructions", path: "/w/AGENTS.md", text: "{{ braces }}" }],
      environment: ["never shown"],
      now: () => new Date(2026, 0, 2),
    },
  );
  expect(text).toBe(`# Top

Date: 2026-01-02

## Restrictions

Paths you may read and write:
- /tmp
Paths you may only read:
- /usr
Every other path is out of reach.

## Editing

Read first.

## Policy

Refused: \`Bash:rm *\`

## Hooks

- fmt (post): formats

Tools:
- Read
- Bash
No other tools.



### a.md

file by ollama


## Workspace Instructions

{{ braces }}


## Mode: M

mode of A, 8B`);
});

test("an inherited prompt is appended to its parent", async () => {
  const text = await compose(
    {
      "config/agents/a.md": file("A", "", "agent"),
      "config/prompts/t.md": file("Base", "", '[{{ template "agent" . }}]'),
      "config/prompts/u.md": file(
        "More",
        "inherit: [Base]\n",
        '{{ .Memories.Local }} {{ "{{ .Raw }}" }} {{ index .Vars "who" }}{{ index .Vars "none" }}',
      ),
    },
    { system: "more" },
  );
  expect(text).toBe("[agent]\n\nremember {{ .Raw }} me");
});

test("deferred tools are told at the end, unless a template already did", async () => {
  const facts = {
    tools: {
      eager: ["Read"],
      deferred: [{ name: "mcp__b__y", server: "b" }, { name: "Query" }, { name: "mcp__b__x", server: "b" }],
    },
  };
  const block = [
    "<available-deferred-tools>",
    "These tools exist but are not loaded. Call LoadTools with the names you need before you use them; what you have",
    "loaded in this conversation stays loaded.",
    "- Query",
    "MCP server b:",
    "- mcp__b__x",
    "- mcp__b__y",
    "</available-deferred-tools>",
  ].join("\n");
  expect(await compose({ "config/agents/a.md": file("A", "", "agent") }, { facts })).toBe(`agent\n\n${block}`);
  const told = await compose({ "config/agents/a.md": file("A", "", "{{ .Tools.Deferred }}\nagent") }, { facts });
  expect(told).toBe(`${block}\nagent`);
});

test("a missing key stops with the file and its line", async () => {
  await expect(compose({ "config/agents/a.md": file("A", "", "x\n{{ .Nope }}") })).rejects.toThrow(
    /agents\/a\.md line 2: field "Nope" not found/,
  );
});

test("two sessions of a project share all of it, two projects all but the last line", async () => {
  const built = (workDir: string) =>
    compose({}, { environment: environmentLines({ platform: "linux", workDir }), facts: { workDir } });
  const [one, again, other] = [await built("/work/one"), await built("/work/one"), await built("/srv/else")];
  expect(again).toBe(one);
  const shared = [...one].findIndex((letter, at) => letter !== other[at]);
  expect(shared / one.length).toBeGreaterThan(0.98);
  expect(Buffer.byteLength(one)).toBeLessThan(3500);
});

test("templates see harmless variables only", () => {
  const env = templateEnvironment({
    USER: "me",
    OPENAI_API_KEY: "secret",
    AURA_VAR_X: "1",
    AURA_PROVIDERS_A_TOKEN: "s",
  });
  expect(["USER", "OPENAI_API_KEY", "AURA_VAR_X", "AURA_PROVIDERS_A_TOKEN"].map(env)).toEqual([
    "me",
    undefined,
    "1",
    undefined,
  ]);
});
