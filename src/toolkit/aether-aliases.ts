/**
 * What our own tools are called in Aether's servers (other-systems 1.8), so that a list written there means the same
 * here. A tool is here only when its counterpart does the same thing.
 */
export const AETHER_ALIASES: Readonly<Record<string, readonly string[]>> = {
  Ask: ["survey__ask_user"],
  Bash: ["coding__bash"],
  Diagnostics: ["coding__lsp_check_errors", "lsp__lsp_check_errors"],
  Glob: ["coding__find"],
  Ls: ["coding__list_files"],
  Patch: ["coding__edit_file"],
  Read: ["coding__read_file"],
  Rg: ["coding__grep"],
  Skill: ["skills__get_skills"],
  Task: ["subagents__spawn_subagent"],
  WebFetch: ["coding__web_fetch"],
  WebSearch: ["coding__web_search"],
  Write: ["coding__write_file"],
};
