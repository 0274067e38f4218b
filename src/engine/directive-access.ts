import type { BashAnswer, DirectiveAccess } from "../context/directives.ts";
import type { ImagePart } from "../protocol/message.ts";
import { bash } from "../tools/bash.ts";
import type { Engine } from "./engine.ts";
import { judgeCall } from "./judge-call.ts";
import { toolAccess } from "./tool-access.ts";

/** What `@Bash`, `@File`, `@Image` and `@Path` in a prompt may touch. */
export function directiveAccess(engine: Engine, signal: AbortSignal): DirectiveAccess {
  const { files, reads } = engine.services;
  return {
    cwd: engine.cwd,
    // What counts as read is the file, under whatever name it was given.
    resolve: async (path, cwd) => files.realPath(await files.resolve(path, cwd)),
    stat: (path) => files.stat(path),
    read: (path) => files.read(path),
    list: (path) => files.list(path),
    runBash: (command) => runBash(engine, command, signal),
    readImages: async (path) => [await readImage(engine, path)],
    sawFile: (path, bytes) => reads.sawFile(path, bytes),
    env: (name) => engine.options.env[name],
  };
}

/** The person typed the command: it is not asked about, but a deny rule holds for them too. */
async function runBash(engine: Engine, command: string, signal: AbortSignal): Promise<BashAnswer> {
  const verdict = await judgeCall(engine, {
    callId: "directive",
    tool: "Bash",
    input: { command },
    reads: [],
    given: [],
    writes: [],
  });
  if (verdict.kind === "deny")
    return { kind: "failed", reason: `denied by policy (pattern "${verdict.because.rule}")` };
  try {
    const access = { ...toolAccess(engine, "directive", signal, () => undefined), ...NOBODY };
    const result = await bash.run({ command }, access);
    const shortened = await engine.shorten(typeof result === "string" ? result : result.text);
    return { kind: "ran", output: shortened.text };
  } catch (error) {
    return { kind: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

const NOBODY = {
  ask: () => Promise.reject(new Error("a directive cannot ask")),
  callTools: () => Promise.reject(new Error("a directive cannot call tools")),
};

/** First bytes of the picture formats every vision model takes. */
const SIGNATURES: readonly (readonly [string, readonly number[]])[] = [
  ["image/png", [0x89, 0x50, 0x4e, 0x47]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
  ["image/gif", [0x47, 0x49, 0x46, 0x38]],
  ["image/webp", [0x52, 0x49, 0x46, 0x46]],
];
const MAX_IMAGE_BYTES = 5 * 1024 * 1024;

async function readImage(engine: Engine, path: string): Promise<ImagePart> {
  const bytes = await engine.services.files.read(path);
  const mediaType = SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0];
  if (!mediaType) throw new Error(`${path} is no PNG, JPEG, GIF or WebP picture`);
  if (bytes.length > MAX_IMAGE_BYTES) throw new Error(`${path} is larger than 5 MiB: make it smaller first`);
  return { type: "image", mediaType, data: Buffer.from(bytes).toString("base64"), name: path };
}
