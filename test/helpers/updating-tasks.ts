/**
 * A process that updates one task for ever and tells its parent every update that is done, to be killed meanwhile.
 * Arguments: the folder of the tasks and the id.
 */
import { fileTaskStore } from "../../src/workspace/task-store.ts";

const [dir = "", id = ""] = process.argv.slice(2);
const store = fileTaskStore(dir, { now: () => new Date() });
const { task } = await store.find(id);

for (let count = Number(task.summary ?? 0) + 1; ; count++) {
  await store.update(id, { summary: String(count) });
  process.send?.(count);
}
