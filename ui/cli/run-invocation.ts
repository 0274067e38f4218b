import type { Invocation } from "./arguments.ts";
import { chooseManner, isOnTerminal } from "./choose-manner.ts";
import { withEnvFiles } from "./env-file.ts";
import { ExpectedStop } from "./expected-stop.ts";
import { openOptions } from "./open-options.ts";
import { processOutputs } from "./outputs.ts";
import { environmentName, type RootName, type RootValues } from "./root-options.ts";
import { watchSignals } from "./signals.ts";

/** Chooses what runs and loads only that. Returns the exit code. */
export async function runInvocation(invocation: Invocation, root: RootValues, shipped: string): Promise<number> {
  const signals = watchSignals();
  const out = processOutputs(signals.pipeClosed, root.output);
  const cwd = process.cwd();
  const { env, left } = await withEnvFiles(process.env, root.envFile, cwd, async () => {
    if (root.trust) return true;
    return (await import("../../src/index.ts")).trustsFolder({ cwd, env: process.env });
  });
  if (left) {
    const why = left.isTrusted ? "" : ", as this project is not trusted";
    out.talk(`aura: ${left.file}: left out${why}: ${left.names.join(", ")} (to use them: --env-file ${left.file})\n`);
  }
  const options = openOptions(root, { cwd, env, commandEnv: process.env, shipped });

  if (root.printEnv) {
    out.data(environmentLines(root));
    return 0;
  }
  if (root.dry === "render") return (await import("./inspect.ts")).renderPrompt(options, out);
  if (root.show) return (await import("./inspect.ts")).showResolved(options, out, "whole");
  if (root.print) return (await import("./inspect.ts")).showResolved(options, out, "summary");

  switch (invocation.command) {
    case "run":
      return (await import("./run-headless.ts")).runHeadless(invocation, options, { out, signals });
    case "chat": {
      const manner = chooseManner(root, env, isOnTerminal());
      if (manner) return (await import("./run-simple.ts")).runSimple(manner, options, { out, signals }, root);
      if (isOnTerminal()) return (await import("./run-screen.ts")).runScreen(options, { out, signals }, root);
      if (!process.stdin.isTTY)
        return (await import("./run-headless.ts")).runHeadless(
          { prompts: [], flags: { outputFormat: "text", approve: "all" } },
          options,
          { out, signals },
        );
      throw new ExpectedStop('standard output is no terminal: use aura run "…" (or aura -p "…"), or pipe a prompt in');
    }
    case "demo":
      return (await import("./demo.ts")).runDemo(options, { out, signals }, root);
    case "tools":
      return (await import("./run-tool.ts")).runTool(invocation, options, { out, signals });
    case "mcp-serve":
      return (await import("./serve-mcp.ts")).serveMcp(invocation, options, { out, signals });
    case "models":
      return (await import("./inspect.ts")).listModels(invocation, options, out);
    case "tokens":
      return (await import("./inspect.ts")).countTokens(invocation, options, out);
    case "policy-test":
      return (await import("./policy-test.ts")).testPolicy(invocation, options, out);
    case "show":
      return (await import("./inspect.ts")).showEntity(invocation, options, out);
    case "mcp":
      return (await import("./mcp.ts")).runMcp(invocation, options, out);
    case "sessions":
      return (await import("./inspect.ts")).listSessions(invocation, options, out);
    case "agentdir-check":
      return (await import("./agentdir.ts")).checkDir(invocation, options, out);
    case "serve":
      return (await import("./serve-dir.ts")).serveDir(invocation, options, { out, signals });
    case "trust":
      return (await import("./inspect.ts")).trust(invocation, options, out);
    case "init":
      return (await import("./inspect.ts")).initHome(invocation, options, out);
  }
}

function environmentLines(root: RootValues): string {
  return Object.entries(root)
    .filter(([name]) => name !== "printEnv")
    .map(([name, value]) => `${environmentName(name as RootName)}=${Array.isArray(value) ? value.join(",") : value}\n`)
    .join("");
}
