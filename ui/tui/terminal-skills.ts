/** What this terminal understands beyond text and colours, as far as its environment tells. */
type Environment = Readonly<Record<string, string | undefined>>;

export interface TerminalSkills {
  /** OSC 0, focus reports and the like are safe to send. */
  readonly sequences: boolean;
  /** How it tells a person who looks elsewhere. */
  readonly notification: "osc 9" | "osc 99" | "osc 777" | "bell";
  /** Shows progress in its tab or task bar (OSC 9;4). Others would show it as a notification. */
  readonly progress: boolean;
  /** Lets a person jump between prompts (OSC 133). */
  readonly marks: boolean;
  /** tmux passes on only what is wrapped for it. */
  readonly tmux: boolean;
}

export function terminalSkills(env: Environment): TerminalSkills {
  const term = env["TERM"] ?? "";
  const program = env["TERM_PROGRAM"] ?? "";
  const tmux = (env["TMUX"] ?? "") !== "";
  const sequences = term !== "dumb" && term !== "linux" && term !== "";
  // What is outside of tmux or screen is not known from within.
  const inside = tmux || term.startsWith("screen");
  const is = (name: RegExp) => !inside && (name.test(program) || name.test(term));
  const kitty = is(/kitty/);
  const ghostty = is(/ghostty/);
  const wezterm = is(/wezterm/i);
  const iterm = is(/iTerm/);
  const foot = is(/^foot/);
  const windows = !inside && (env["WT_SESSION"] !== undefined || env["ConEmuANSI"] === "ON");
  const vte = !inside && Number(env["VTE_VERSION"] ?? 0) >= 5_000;
  const vscode = is(/vscode/);
  return {
    sequences,
    notification: kitty
      ? "osc 99"
      : ghostty || wezterm || iterm
        ? "osc 9"
        : foot || is(/rxvt-unicode/)
          ? "osc 777"
          : "bell",
    progress: sequences && (ghostty || wezterm || windows),
    marks: sequences && (tmux || kitty || ghostty || wezterm || iterm || foot || windows || vte || vscode),
    tmux,
  };
}
