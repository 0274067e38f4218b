import { expect, test } from "vitest";
import { pinEnvironment } from "../../../src/shell/environment.ts";

test("keeps what commands need and takes out switches, functions and provider credentials", () => {
  const env = pinEnvironment({
    HOME: "/home/me",
    PATH: "/bin",
    GITHUB_TOKEN: "gh",
    NOTHING: undefined,
    ANTHROPIC_AUTH_TOKEN: "1",
    openai_api_key: "2",
    AURA_PROVIDERS_LOCAL_TOKEN: "3",
    SOME_VENDOR_API_KEY: "4",
    BASH_ENV: "/rc",
    SHELLOPTS: "xtrace",
    PROMPT_COMMAND: "date",
    "BASH_FUNC_ls%%": "() { rm -rf /; }",
    FORCE_COLOR: "1",
    TERM: "xterm-256color",
    PAGER: "less",
  });
  expect(env).toEqual({
    HOME: "/home/me",
    PATH: "/bin",
    GITHUB_TOKEN: "gh",
    TERM: "dumb",
    PAGER: "cat",
    LANGUAGE: "en",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_TERMINAL_PROMPT: "0",
  });
});
