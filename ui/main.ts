import { fileURLToPath } from "node:url";
import { readArguments } from "./cli/arguments.ts";
import { ExpectedStop } from "./cli/expected-stop.ts";
import { flushed } from "./cli/outputs.ts";
import { runInvocation } from "./cli/run-invocation.ts";

const given = readArguments(process.argv.slice(2), process.env);
if (given.kind === "stop") {
  (given.exitCode === 0 ? process.stdout : process.stderr).write(given.text);
  process.exitCode = given.exitCode;
} else {
  try {
    const shipped = fileURLToPath(new URL(".", import.meta.url));
    process.exitCode = await runInvocation(given.invocation, given.root, shipped);
  } catch (error) {
    if (!(error instanceof ExpectedStop)) throw error;
    process.stderr.write(`aura: ${error.message}\n`);
    process.exitCode = error.exitCode;
  }
  // Sockets kept alive and idle timers must not hold the process once all is said and saved.
  await flushed();
  process.exit();
}
