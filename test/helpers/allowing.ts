/**
 * A process that plays a script in a project and allows whatever is asked, for tests that kill it in the middle.
 * Arguments: project, home, script. Prints `asked` when a dialog with a preview opens and `finished` at the end.
 */
import { openConversation } from "../../src/index.ts";

const [project = "", home = "", script = ""] = process.argv.slice(2);
const opened = await openConversation({
  canAsk: true,
  cwd: project,
  env: { PATH: process.env["PATH"], HOME: home },
  shipped: project,
  script,
  trust: true,
});
if (opened.kind === "refused") throw new Error(opened.problem);
const { conversation } = opened;
const events = conversation.events();
conversation.send({ type: "prompt", text: "go" });
for await (const event of events) {
  if (event.type === "request-opened" && event.request.kind === "approval") {
    process.stdout.write(`asked ${event.request.preview?.kind}\n`);
    conversation.send({
      type: "answer",
      requestId: event.request.id,
      answer: { kind: "approval", value: { allow: true, scope: "once" } },
    });
  }
  if (event.type === "turn-finished") break;
}
await conversation.close();
process.stdout.write("finished\n");
