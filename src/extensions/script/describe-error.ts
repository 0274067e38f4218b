import type { QuickJSContext, QuickJSHandle } from "quickjs-emscripten-core";
import { cutBytes } from "../../text/truncate.ts";
import type { ScriptCode } from "./script-failure.ts";

export interface DescribedError {
  readonly code: ScriptCode;
  readonly message: string;
}

const MOST_MESSAGE_BYTES = 2000;

/**
 * What a script threw, with the script's own line where the stack names one. A refused inner call that nobody caught
 * keeps its code; `codeOf` tells those from errors that only look like one.
 */
export function describeError(
  vm: QuickJSContext,
  error: QuickJSHandle,
  codeOf: QuickJSHandle | undefined,
  fileName: string,
): DescribedError {
  const name = textAt(vm, error, "name");
  const message = cutBytes(textAt(vm, error, "message") ?? thrownText(vm, error), MOST_MESSAGE_BYTES);
  if (name === "InternalError" && /^(out of memory|string too long)$/.test(message))
    return { code: "out-of-memory", message: "" };
  const place = placeOf(textAt(vm, error, "stack") ?? "", fileName);
  const refused = codeOf && vm.callFunction(codeOf, vm.undefined, error);
  if (refused && !refused.error && vm.typeof(refused.value) === "string")
    return { code: vm.getString(refused.value) as ScriptCode, message: `${place}: ${message}` };
  return { code: "script-error", message: `${place}: ${name === undefined ? "" : `${name}: `}${message}` };
}

function textAt(vm: QuickJSContext, object: QuickJSHandle, key: string): string | undefined {
  if (vm.typeof(object) !== "object") return undefined;
  const value = vm.getProp(object, key);
  return vm.typeof(value) === "string" ? vm.getString(value) : undefined;
}

function thrownText(vm: QuickJSContext, thrown: QuickJSHandle): string {
  const value: unknown = vm.dump(thrown);
  return typeof value === "string" ? value : (JSON.stringify(value) ?? String(value));
}

/** `scripts/find.js:12` from the first line of a stack that is the script's own; the file alone where none is. */
function placeOf(stack: string, fileName: string): string {
  const at = stack.indexOf(`${fileName}:`);
  const line = at < 0 ? undefined : /^\d+/.exec(stack.slice(at + fileName.length + 1))?.[0];
  return line === undefined ? fileName : `${fileName}:${line}`;
}
