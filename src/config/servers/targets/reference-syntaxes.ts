import type { ReferenceSyntax, Referred } from "./target.ts";

const variable = (name: string, note?: Referred["note"]): Referred => ({
  kind: "variable",
  name,
  ...(note && { note }),
});

/** `${VAR}` and `${VAR:-default}`; a bare `$VAR` is text. */
export const BRACED_WITH_DEFAULT: ReferenceSyntax = {
  pattern: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
  read: ([, name, fallback]) => ({ ...variable(name!), ...(fallback !== undefined && { fallback }) }),
  write: (name) => `\${${name}}`,
  defaults: true,
};

/** `${VAR}` alone. */
export const BRACED: ReferenceSyntax = {
  pattern: /\$\{([A-Za-z_]\w*)\}/g,
  read: ([, name]) => variable(name!),
  write: (name) => `\${${name}}`,
};

/** `${env:VAR}`, and the words VS Code and Cursor put there beside it. */
export const ENV_COLON: ReferenceSyntax = {
  pattern:
    /\$\{(?:env:([A-Za-z_]\w*)|input:([^}]+)|(userHome)|(workspaceFolder|workspaceRoot)|workspaceFolderBasename|pathSeparator|\/|command:[^}]+|config:[^}]+)\}/g,
  read([whole, env, input, userHome, workspace]) {
    if (env !== undefined) return variable(env);
    if (userHome !== undefined) return variable("HOME");
    if (workspace !== undefined)
      return variable("PWD", [
        "env-not-portable",
        `${whole} is read as \${PWD}: right when Aura starts in the project`,
      ]);
    if (input === undefined) return undefined;
    const name = input.replace(/\W+/g, "_").replace(/^(?=\d)/, "_");
    return variable(name.toUpperCase(), [
      "input-to-env",
      `what ${whole} asks for is read from the environment variable ${name.toUpperCase()}`,
    ]);
  },
  write: (name) => `\${env:${name}}`,
};

/** `{env:VAR}`; `{file:path}` has no word here. */
export const BRACES_ENV: ReferenceSyntax = {
  pattern: /\{env:([A-Za-z_]\w*)\}|\{file:[^}]+\}/g,
  read: ([, name]) => (name === undefined ? undefined : variable(name)),
  write: (name) => `{env:${name}}`,
};

/** Its values are literal. */
export const NOT_PORTABLE: ReferenceSyntax = { without: "env-not-portable" };
export const NOT_EXPANDED: ReferenceSyntax = { without: "env-not-expanded" };
