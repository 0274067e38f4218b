import { isProviderSecret } from "../system/secrets.ts";

/** What would make bash run or print something of its own, or change how it reads a script. */
const BASH_SWITCHES = [
  "BASH_ENV",
  "BASH_LOADABLES_PATH",
  "BASH_XTRACEFD",
  "BASHOPTS",
  "CDPATH",
  "ENV",
  "FIGNORE",
  "GLOBIGNORE",
  "IFS",
  "OLDPWD",
  "POSIXLY_CORRECT",
  "PROMPT_COMMAND",
  "PS0",
  "PS1",
  "PS4",
  "SHELLOPTS",
  "TIMEFORMAT",
  "TMOUT",
];
/** What would put colour codes into output that a model reads. */
const COLOUR_SWITCHES = ["CLICOLOR_FORCE", "COLORTERM", "FORCE_COLOR", "GREP_COLOR", "GREP_COLORS", "GREP_OPTIONS"];

/** Nobody sits at this terminal: no colours, no pager, no editor, no password prompt; messages in English. */
const PINNED: Readonly<Record<string, string>> = {
  LANGUAGE: "en",
  TERM: "dumb",
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
};

const REMOVED: ReadonlySet<string> = new Set([...BASH_SWITCHES, ...COLOUR_SWITCHES]);

/**
 * The environment commands run in: `base` without switches of the shell, exported functions and credentials of model
 * providers, with the pinned values. What is given to a command on purpose is laid over this afterwards.
 */
export function pinEnvironment(base: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const pinned: Record<string, string> = {};
  for (const [name, value] of Object.entries(base))
    if (value !== undefined && !REMOVED.has(name) && !name.startsWith("BASH_FUNC_") && !isProviderSecret(name))
      pinned[name] = value;
  return Object.assign(pinned, PINNED);
}
