import { join } from "node:path";
import { findProgram } from "../sandbox/find-program.ts";
import { pinEnvironment } from "../shell/environment.ts";
import { runProgram } from "../system/process.ts";
import { variablesMissing } from "./trial-variables.ts";

/** What a command on trial is told of its surroundings: nothing that could be a secret. */
const KEPT =
  /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_\w+|TZ|NODE_ENV|CI|NVM_DIR|PYENV_(?:ROOT|VERSION)|RBENV_(?:ROOT|VERSION)|VIRTUAL_ENV|GOROOT|GOPATH|CARGO_HOME|RUSTUP_(?:HOME|TOOLCHAIN)|JAVA_HOME|VOLTA_HOME|PNPM_HOME)$/;

export interface TrialEnvironment {
  readonly env: Readonly<Record<string, string>>;
  /** Files of the person's that git needs and that hold no secret. */
  readonly readable: readonly string[];
  /** Names of variables that commands have and a trial has not. */
  readonly missing: ReadonlySet<string>;
  /** Why git would do something else there than here; undefined when it would not. */
  readonly gitDiffers?: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** So that nothing looks for news of itself, where nobody answers. */
const QUIET = { npm_config_update_notifier: "false", NO_UPDATE_NOTIFIER: "1" };

function trialEnvironment(env: Environment): Record<string, string> {
  return { ...pinEnvironment(Object.fromEntries(Object.entries(env).filter(([name]) => KEPT.test(name)))), ...QUIET };
}

/** With the person's git settings, but for those that may hold credentials. */
export async function withGitSettings(env: Environment): Promise<TrialEnvironment> {
  const base = trialEnvironment(env);
  const settings = await globalGitSettings(env);
  const home = base["HOME"] ?? "/nonexistent";
  const value = (name: string) => settings.findLast(([key]) => key === name)?.[1];
  const kept = settings.filter(([name]) => HARMLESS.test(name));
  const excludes = value("core.excludesfile")?.replace(/^~(?=\/)/, home);
  const named = Object.fromEntries(
    kept.flatMap(([name, text], at) => [
      [`GIT_CONFIG_KEY_${at}`, name],
      [`GIT_CONFIG_VALUE_${at}`, text],
    ]),
  );
  const missing = variablesMissing(pinEnvironment(env), base);
  const differs =
    settings.find(([name, text]) => DIFFERENT.test(name) && text !== "false")?.[0] ??
    [...missing].find((name) => GIT_VARIABLE.test(name));
  return {
    env: { ...base, ...named, GIT_CONFIG_COUNT: String(kept.length) },
    readable: [
      ...(excludes === undefined ? [] : [excludes]),
      join(home, ".config/git/ignore"),
      join(home, ".config/git/attributes"),
    ],
    missing,
    ...(differs !== undefined && { gitDiffers: `git is set up with ${differs}, which is out of reach there` }),
  };
}

const HARMLESS =
  /^(?:user\.(?:name|email|useconfigonly)|core\.(?:autocrlf|eol|safecrlf|excludesfile|quotepath|ignorecase|filemode|abbrev)|init\.defaultbranch|diff\.(?:algorithm|renames|context)|merge\.(?:ff|conflictstyle)|pull\.(?:rebase|ff)|rebase\.(?:autostash|autosquash)|commit\.(?:verbose|cleanup)|status\..*|branch\.(?:sort|autosetuprebase)|tag\.sort|log\..*|column\..*|safe\.directory|advice\..*)$/;

const DIFFERENT =
  /^(?:commit\.(?:gpgsign|template)|tag\.gpgsign|core\.(?:hookspath|fsmonitor|worktree|attributesfile)|init\.templatedir|filter\..*|include(?:if)?\..*)$/;

/** By which git is told who commits, and where what is. */
const GIT_VARIABLE =
  /^(?:EMAIL|GIT_(?:AUTHOR|COMMITTER|CONFIG|DIR|WORK_TREE|INDEX|OBJECT|ALTERNATE|NAMESPACE|TEMPLATE|EXTERNAL|DEFAULT).*)$/;

async function globalGitSettings(env: Environment): Promise<readonly (readonly [name: string, value: string])[]> {
  const git = findProgram("git", env["PATH"]);
  if (git === undefined) return [];
  try {
    const whole = Object.fromEntries(
      Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    );
    const result = await runProgram(git, ["config", "--global", "--list", "-z"], {
      cwd: "/",
      env: whole,
      timeoutMs: 2_000,
      maxOutputBytes: 64 * 1024,
    });
    return result.stdout.split("\0").flatMap((entry) => {
      const cut = entry.indexOf("\n");
      return cut < 0 ? [] : [[entry.slice(0, cut), entry.slice(cut + 1)] as const];
    });
  } catch {
    return []; // what git does not tell is not known
  }
}
