import { nearest } from "../../text/nearest.ts";
import { codingServer, lspServer } from "./coding.ts";
import { planServer } from "./plan.ts";
import type { ServedServer, ServeHost } from "./served-server.ts";
import { skillsServer } from "./skills.ts";
import { subagentsServer } from "./subagents.ts";
import { surveyServer } from "./survey.ts";
import { tasksServer } from "./tasks.ts";

/** Makes a server out of what its definition says. Holds no behaviour: everything is done by tools and the host. */
export interface ServerFactory {
  readonly name: string;
  readonly about: string;
  /** @throws Error for arguments it does not take; the message names them */
  create(args: readonly string[], input: unknown, host: ServeHost): ServedServer;
}

export const IN_PROCESS_SERVERS: readonly ServerFactory[] = [
  { name: "coding", about: "files, search, bash, web and language servers", create: codingServer },
  { name: "lsp", about: "symbols, diagnostics and rename by language servers", create: lspServer },
  { name: "skills", about: "skills, slash commands and notes", create: skillsServer },
  { name: "tasks", about: "a tree of tasks that is kept", create: tasksServer },
  { name: "subagents", about: "other agents, spawned for tasks", create: subagentsServer },
  { name: "survey", about: "questions for the person", create: surveyServer },
  { name: "plan", about: "a plan, reviewed by the person", create: planServer },
];

/** @throws Error that names the ones there are */
export function findServer(name: string): ServerFactory {
  const found = IN_PROCESS_SERVERS.find((server) => server.name === name);
  if (found) return found;
  const names = IN_PROCESS_SERVERS.map((server) => server.name);
  const near = nearest(name, names);
  throw new Error(
    `there is no in-memory server "${name}".${near ? ` Did you mean "${near}"?` : ""} There are: ${names.join(", ")}`,
  );
}
