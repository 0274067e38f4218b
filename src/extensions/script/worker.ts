// The thread a script runs in: one machine, one script, then it ends. Only erasable types here: Node runs it as it is.
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { FromScript, ScriptStart, ToScript } from "./messages.ts";
import { createRealm } from "./realm.ts";

const start = workerData as ScriptStart;
const port = parentPort!; // never anything but a worker
const say = (message: FromScript) => port.postMessage(message);

const realm = await createRealm(start, readFileSync(start.wasm), say);
port.on("message", ({ id, answer }: ToScript) => realm.answer(id, answer));
realm.begin();
