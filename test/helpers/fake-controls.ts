import type { ChildSummary, Controls, JobLine, McpServerLine, UndoPoint } from "../../src/commands/controls.ts";
import type { PickItem } from "../../src/protocol/request.ts";
import type { ThinkLevel } from "../../src/protocol/status.ts";
import type { ToolStatus } from "../../src/toolkit/tool-set.ts";

/** Everything commands can change, as plain data to set up and to compare. */
export interface FakeWorld {
  sessionId: string;
  name: string | undefined;
  title: string;
  saved: PickItem[];
  exported: { format: string; path: string | undefined }[];
  exited: boolean;
  messages: string[];
  agent: string;
  mode: string | undefined;
  think: ThinkLevel;
  model: string;
  tools: ToolStatus[];
  todos: string;
  sandbox?: boolean;
  readBefore: { write: boolean; delete: boolean };
  used: number;
  window: number | undefined;
  children: ChildSummary[];
  skills: { name: string; description: string; from: string }[];
  done: boolean;
  servers: McpServerLine[];
  verbose: boolean;
  auto: boolean;
  reloads: number;
  stats: ReturnType<Controls["session"]["stats"]>;
  points: UndoPoint[];
  jobs: JobLine[];
  undone: string[];
  diffs: { session: string; last: string };
  /** What a person picks or writes; null when nobody is there. */
  picks: string | null;
  isAttended: boolean;
  edits: string | null;
}

const AGENTS = [
  { name: "coder", description: "writes code" },
  { name: "reader", description: "reads only" },
];
const MODES = [{ name: "plan", description: "think first" }];

export function fakeWorld(changes: Partial<FakeWorld> = {}): FakeWorld {
  return {
    sessionId: "s-1",
    name: undefined,
    title: "First steps",
    saved: [],
    exported: [],
    exited: false,
    messages: ["hello", "hi", "how are you"],
    agent: "coder",
    mode: undefined,
    think: "off",
    model: "local/small",
    tools: [],
    todos: "No todos.",
    readBefore: { write: true, delete: false },
    used: 12_400,
    window: 131_072,
    children: [],
    skills: [],
    done: false,
    servers: [],
    verbose: false,
    auto: false,
    reloads: 0,
    stats: {
      startedAt: "2026-01-02T03:04:05.000Z",
      interactions: 2,
      turns: 2,
      iterations: 5,
      parseRetries: 0,
      compactions: 0,
      tools: { calls: 4, errors: 1, freq: { Read: 1, Bash: 2, Ls: 1 } },
      tokens: { input: 900, output: 80 },
    },
    points: [],
    jobs: [],
    undone: [],
    diffs: { session: "", last: "" },
    picks: null,
    isAttended: false,
    edits: null,
    ...changes,
  };
}

/** Controls over `world`, with the refusals the engine makes. */
export function fakeControls(world: FakeWorld): Controls {
  return {
    session: {
      id: world.sessionId,
      get name() {
        return world.name;
      },
      get title() {
        return world.title;
      },
      list: async () => world.saved,
      async save(title) {
        world.title = title ?? world.title;
        return world.title;
      },
      async rename(name) {
        world.name = name.toLowerCase().replaceAll(" ", "-");
        return world.name;
      },
      async fork(title) {
        world.title = title ?? `Fork of ${world.title}`;
        return world.title;
      },
      async resume(prefix) {
        const item = world.saved.find(({ id }) => id.startsWith(prefix));
        if (!item) throw new Error(`no session "${prefix}"`);
        world.title = item.label;
        return { title: item.label, warnings: item.group === undefined ? [] : [item.group] };
      },
      async export(format, path) {
        world.exported.push({ format, path });
        return `Exported to ${path ?? "standard place"}`;
      },
      lastAnswer: () => world.messages[1],
      async clear() {
        world.messages = [];
      },
      stats: () => world.stats,
      exit() {
        world.exited = true;
      },
    },
    agent: {
      get current() {
        return world.agent;
      },
      names: AGENTS,
      async use(name) {
        if (!AGENTS.some((agent) => agent.name === name)) throw new Error(`no agent "${name}"`);
        world.agent = name;
      },
      get mode() {
        return world.mode;
      },
      modes: MODES,
      async useMode(name) {
        if (name !== undefined && !MODES.some((mode) => mode.name === name)) throw new Error(`no mode "${name}"`);
        world.mode = name;
      },
      get think() {
        return world.think;
      },
      setThink(level) {
        world.think = level;
      },
    },
    model: {
      get current() {
        return world.model;
      },
      list: async () => [{ id: "local/large", label: "large" }],
      async use(reference) {
        world.model = reference.includes("/") ? reference : `local/${reference}`;
        return world.model;
      },
    },
    tools: {
      decided: async () => world.tools,
      get todos() {
        return world.todos;
      },
      replaceTodos(text) {
        if (text.includes("[later]")) throw new Error('unknown status "later"');
        world.todos = text;
      },
    },
    policy: {
      describe: () => "No tool policy configured (all tool calls auto-approved).",
      explainCommand: async (command) => `Bash: auto\n  ${command}`,
      get readBefore() {
        return world.readBefore;
      },
      setReadBefore(what, on) {
        const { write, delete: remove } = world.readBefore;
        world.readBefore = { write: what === "delete" ? write : on, delete: what === "write" ? remove : on };
      },
      sandbox: {
        describe: async () => `Sandbox: ${world.sandbox ? "on" : "off"}`,
        set(on) {
          world.sandbox = on;
        },
      },
      dry: async (command) => ({ preview: { title: command }, text: command }),
    },
    context: {
      get usage() {
        const { used, window, messages } = world;
        return { used, messages: messages.length, ...(window !== undefined && { window }) };
      },
      compact: async () => "Compacted 3 messages.",
      drop(count) {
        const dropped = count === "all" ? world.messages.length : Math.min(count, world.messages.length);
        world.messages = world.messages.slice(0, world.messages.length - dropped);
        return dropped;
      },
      insert(role, text) {
        world.messages.push(`${role}: ${text}`);
      },
      setWindow(tokens) {
        world.window = tokens;
      },
    },
    mcp: {
      list: async () => world.servers,
      get costs() {
        return world.servers.flatMap(({ name, tools, cost }) => (cost ? [{ name, tools, ...cost }] : []));
      },
      reconnect: async (name) => `reconnected ${name ?? "all"}`,
      auth: async (name, how) => `signing in at ${name} (${how})`,
    },
    settings: {
      get verbose() {
        return world.verbose;
      },
      setVerbose(on) {
        world.verbose = on;
      },
      get auto() {
        return world.auto;
      },
      setAuto(on) {
        world.auto = on;
      },
      trust: async () => "Trusted: .aura",
      overview: () => `agent: ${world.agent}`,
      async reload() {
        world.reloads++;
      },
    },
    delegation: {
      get children() {
        return world.children;
      },
      transcript: (id) => `transcript of ${id}`,
      get skills() {
        return world.skills;
      },
      get done() {
        return world.done;
      },
      setDone(on) {
        world.done = on;
      },
    },
    jobs: {
      list: () => world.jobs,
      output: (id) => `output of ${id}`,
      stop: async (id) => `stopped ${id}`,
    },
    isAttended: world.isAttended,
    undo: {
      points: async () => world.points,
      async undo(id, what) {
        world.undone.push(`${id} ${what}`);
        return `undone ${id} ${what}`;
      },
      redo: async () => "redone",
      diff: async (which) => world.diffs[which],
    },
    pick: async () => world.picks,
    edit: async () => world.edits,
  };
}
