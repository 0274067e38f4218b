// Adapter for a peer benchmark of terminal assistants: copy it into that benchmark's adapter folder and set
// OURS_BIN="<node> <checkout>/bin/aura". Zero configuration: only the variables any OpenAI-compatible server needs.
export default {
  name: "ours",
  label: "Aura",
  api: "chat",
  packages: [],
  requires: () => !!process.env.OURS_BIN,
  bin: () => (process.env.OURS_BIN ?? "").split(" "),
  prepare: ({ baseUrl }) => ({
    OPENAI_BASE_URL: `${baseUrl}/v1`,
    OPENAI_API_KEY: "x",
    OPENAI_MODEL: "mock-model",
  }),
  headless: (prompt) => ["run", prompt],
  tui: () => ["--auto-approve"],
  shell: (cmd) => ({ name: "Bash", args: { command: cmd } }),
  ready: /Type your message/,
};
