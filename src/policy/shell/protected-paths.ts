import { basename, sep } from "node:path";
import { isInside } from "../../system/paths.ts";

/** Why writing this file always needs a person's word, whatever they allowed before; undefined when it does not. */
export function whyGuarded(path: string, home: string, ours: readonly string[]): string | undefined {
  const parts = path.toLowerCase().split(sep);
  const name = parts.at(-1) ?? "";
  if (ours.some((folder) => isInside(folder, path)) || parts.includes(".aura")) return "it is part of our own settings";
  if (parts.includes(".git")) return "it is inside git's own folder";
  if (parts.some((part) => HOOK_FOLDERS.has(part)) || HOOK_FILES.has(name)) return "it is run by other programs";
  if (START_UP.has(name)) return "a shell runs it at its start";
  if (CREDENTIALS.has(name) || parts.some((part) => CREDENTIAL_FOLDERS.has(part))) return "it holds credentials";
  if (parts.some((part) => AGENT_FOLDERS.has(part)) || AGENT_FILES.has(name))
    return "it tells agents what to do and run";
  if (
    isInside(home, path) &&
    /^\.config\/(?:autostart|systemd|fish|git|environment\.d)(?:\/|$)/.test(path.slice(home.length + 1))
  )
    return "it is run when you log in";
  return undefined;
}

/** A file whose contents are a secret, by its name. */
export function isSecret(path: string): boolean {
  const parts = path.toLowerCase().split(sep);
  const name = basename(path).toLowerCase();
  if (parts.some((part) => CREDENTIAL_FOLDERS.has(part)) || CREDENTIALS.has(name)) return true;
  if (/^\.env(?:\..+|rc)?$/.test(name)) return !/\.(?:example|sample|template|dist|defaults?)$/.test(name);
  if (/^id_(?:rsa|dsa|ecdsa|ed25519)/.test(name) && !name.endsWith(".pub")) return true;
  if (/\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ovpn|tfstate|tfvars)$/.test(name)) return true;
  if (/^(?:\.?secrets?|credentials?)(?:\.(?:ya?ml|json|toml|env|txt|ini|properties))?$/.test(name)) return true;
  if (/(?:^|\/)\.git\/(?:config|credentials)$/.test(parts.join("/"))) return true;
  return /^service[-_]?account.*\.json$/.test(name);
}

const set = (names: string): ReadonlySet<string> => new Set(names.trim().split(/\s+/));

const HOOK_FOLDERS = set(".githooks .husky git-hooks cron.d cron.daily cron.hourly profile.d sudoers.d init.d");
const HOOK_FILES = set(".envrc .pre-commit-config.yaml lefthook.yml lefthook.yaml .lintstagedrc crontab sudoers");
const START_UP = set(
  ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc .inputrc .xprofile .xinitrc .vimrc .tmux.conf .gitconfig .gdbinit .pythonrc .hgrc",
);
const CREDENTIALS = set(
  ".netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .git-credentials .pgpass .my.cnf .htpasswd .dockercfg .s3cfg authorized_keys",
);
const CREDENTIAL_FOLDERS = set(".ssh .aws .gnupg .azure .kube .docker .password-store .gcloud");
const AGENT_FOLDERS = set(".claude .codex .cursor .gemini .continue");
const AGENT_FILES = set(".mcp.json mcp.json");
