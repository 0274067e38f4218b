// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references to variables are what this is about
import { describe, expect, test } from "vitest";
import { readDotai } from "../../../../src/config/servers/dotai.ts";
import { neutralForm } from "../../../../src/config/servers/neutral-form.ts";

function read(text: string) {
  const { servers, errors, warnings } = readDotai(text, "c.yaml");
  return {
    servers: Object.fromEntries(servers.map((server) => [server.name, neutralForm(server)])),
    errors: errors.map(({ code, server, message }) => `${code} ${server}: ${message}`),
    warnings: warnings.map(({ code }) => code),
  };
}

// The blocks of dotai's page.
const LIST = `servers:
  - name: filesystem
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem"]
    scope: project

  - name: github
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-github"]
    env:
      GITHUB_TOKEN: "\${GITHUB_TOKEN}"
    scope: project

  - name: my-api
    transport: http
    url: "https://api.example.com/mcp"
    scope: user
`;
const FILTERED = `servers:
  - name: filesystem
    transport: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem"]
    enabledTools:
      - read_file
      - list_directory
    scope: project
`;

describe("dotai's servers", () => {
  test("of its page are read", () => {
    const npx = (name: string) => ({ command: "npx", args: ["-y", `@modelcontextprotocol/server-${name}`] });
    expect(read(LIST)).toEqual({
      servers: {
        filesystem: { transport: "stdio", ...npx("filesystem"), scope: "project" },
        github: { transport: "stdio", ...npx("github"), env: { GITHUB_TOKEN: "${GITHUB_TOKEN}" }, scope: "project" },
        "my-api": { transport: "http", url: "https://api.example.com/mcp", scope: "user" },
      },
      errors: [],
      warnings: [],
    });
    expect(read(FILTERED).servers["filesystem"]).toMatchObject({ enabledTools: ["read_file", "list_directory"] });
  });

  test("may be a map with another key, beside other sections", () => {
    expect(
      read(
        "rules: []\nmcpServers:\n  a: { command: x }\n  b: { transport: http, url: u, headers: { X: y }, oauth: {} }\n",
      ),
    ).toEqual({
      servers: {
        a: { transport: "stdio", command: "x", scope: "project" },
        b: { transport: "http", url: "u", headers: { X: "y" }, scope: "project" },
      },
      errors: [],
      warnings: ["field-dropped"],
    });
  });

  test.each([
    [
      FILTERED.replace("    scope", "    disabledTools: []\n    scope"),
      "both-filters filesystem: c.yaml:9: filesystem: enabledTools and disabledTools are both set",
    ],
    ["servers:\n  - transport: stdio\n    command: x\n", "bad-name : c.yaml:2: "],
    ["servers:\n  - name: a\n    transport: stdio\n", "stdio-no-command a: c.yaml:2: a: command is missing"],
    ["servers:\n  - name: a\n    transport: sse\n", "remote-no-url a: c.yaml:2: a: url is missing (sse)"],
    ["servers:\n  - name: a\n    transport: ws\n", "unknown-transport a: c.yaml:3: a: transport:"],
    ["servers:\n  - name: a\n    command: x\n    tools: []\n", 'unknown-field a: c.yaml:4: a: unknown key "tools"'],
    [
      "servers: []\nmcpServers: {}\n",
      "parse-error undefined: c.yaml:2: servers and mcpServers are both there; keep one",
    ],
    ["servers: [\n", "parse-error undefined: c.yaml:"],
    ["servers: x\n", "parse-error undefined: c.yaml: expected servers: a list"],
  ])("%j is an error", (text, error) => {
    const { errors, servers } = read(text);
    expect(servers).toEqual({});
    expect(errors).toEqual([expect.stringContaining(error)]);
  });
});
