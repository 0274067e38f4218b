import variant from "@jitl/quickjs-wasmfile-release-sync";
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSDeferredPromise,
  type QuickJSHandle,
  type QuickJSRuntime,
} from "quickjs-emscripten-core";
import { boundedLog } from "./bounded-log.ts";
import { capped } from "./capped.ts";
import { describeError } from "./describe-error.ts";
import { MOST_LOG_BYTES, MOST_MEMORY_PAGES, STACK_BYTES } from "./limits.ts";
import type { FromScript, InnerRefusal, InnerResult, ScriptStart } from "./messages.ts";
import { REALM_SOURCE } from "./realm-source.ts";
import type { ScriptCode } from "./script-failure.ts";

/** A QuickJS machine with one script in it: no files, network, process or timers, only `ctx` and a bounded log. */
export interface Realm {
  /** Evaluates the script and calls its `run`. Its end is told by a message, once. */
  begin(): void;
  answer(id: number, answer: InnerResult | InnerRefusal): void;
}

const PAGE_BYTES = 65_536;
const FIRST_PAGES = 256;
/** Jobs between two looks at the clock. */
const JOBS_AT_ONCE = 1000;
const TAKE_RUN = "__aura_take_run";

/** @param wasm the machine's code, as read from its file */
export async function createRealm(
  start: ScriptStart,
  wasm: Uint8Array,
  say: (message: FromScript) => void,
): Promise<Realm> {
  const wasmMemory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_MEMORY_PAGES });
  const wasmBinary = new Uint8Array(wasm).buffer;
  const machine = await newQuickJSWASMModuleFromVariant(newVariant(variant, { wasmBinary, wasmMemory }));
  const runtime = machine.newRuntime();
  runtime.setMaxStackSize(STACK_BYTES);
  return new ScriptRealm(runtime, wasmMemory, start, say);
}

class ScriptRealm implements Realm {
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  readonly #memory: WebAssembly.Memory;
  readonly #start: ScriptStart;
  readonly #say: (message: FromScript) => void;
  readonly #log = boundedLog(MOST_LOG_BYTES, (line) => this.#say({ type: "print", line }));
  readonly #open = new Map<number, QuickJSDeferredPromise>();
  readonly #deadline: BigInt64Array;
  #calls = 0;
  #ended = false;
  /** What the realm's own source made: `ctx`, `inputs` and two functions. */
  #inside: QuickJSHandle | undefined;
  #codeOf: QuickJSHandle | undefined;
  /** What `run` returned. */
  #running: QuickJSHandle | undefined;

  constructor(
    runtime: QuickJSRuntime,
    memory: WebAssembly.Memory,
    start: ScriptStart,
    say: (message: FromScript) => void,
  ) {
    this.#runtime = runtime;
    this.#memory = memory;
    this.#start = start;
    this.#say = say;
    this.#deadline = new BigInt64Array(start.deadline);
    runtime.setInterruptHandler(() => this.#isOver());
    this.#vm = runtime.newContext();
  }

  begin(): void {
    Atomics.store(this.#deadline, 0, process.hrtime.bigint() + BigInt(this.#start.timeoutMs) * 1_000_000n);
    this.#say({ type: "begun" });
    this.#guarded(() => {
      this.#inside = this.#install();
      this.#codeOf = this.#vm.getProp(this.#inside, "codeOf");
      const run = this.#readScript();
      if (run === undefined) return;
      const { fileName } = this.#start;
      if (this.#vm.typeof(run) !== "function")
        return this.#fail("no-run", `${fileName} defines no function "run(ctx, inputs)" and exports none by default`);
      const [ctx, inputs] = ["ctx", "inputs"].map((key) => this.#vm.getProp(this.#inside!, key));
      const called = this.#vm.callFunction(run, this.#vm.undefined, ctx!, inputs!);
      if (called.error) return this.#failWith(called.error);
      this.#running = called.value;
      this.#goOn();
    });
  }

  answer(id: number, answer: InnerResult | InnerRefusal): void {
    this.#guarded(() => {
      const deferred = this.#open.get(id);
      if (!deferred || this.#ended) return;
      this.#open.delete(id);
      const value = this.#vm.newObject();
      for (const [key, item] of Object.entries(answer)) {
        const handle = typeof item === "number" ? this.#vm.newNumber(item) : this.#vm.newString(String(item));
        this.#vm.setProp(value, key, handle);
        handle.dispose();
      }
      deferred.resolve(value);
      value.dispose();
      this.#goOn();
    });
  }

  #install(): QuickJSHandle {
    const vm = this.#vm;
    const hostCall = vm.newFunction("hostCall", (name, input) => {
      const deferred = vm.newPromise();
      this.#open.set(++this.#calls, deferred);
      this.#say({ type: "call", id: this.#calls, tool: vm.getString(name!), input: vm.getString(input!) });
      return deferred.handle;
    });
    const hostPrint = vm.newFunction("hostPrint", (line) => this.#log.add(vm.getString(line!)));
    const shorthands = vm.unwrapResult(vm.evalCode(JSON.stringify(this.#start.shorthands), "<aura>"));
    const make = vm.unwrapResult(vm.evalCode(REALM_SOURCE, "<aura>"));
    const inputs = vm.newString(this.#start.inputs);
    return vm.unwrapResult(vm.callFunction(make, vm.undefined, hostCall, hostPrint, shorthands, inputs));
  }

  /**
   * Evaluates the script as a module, so that `export default` is understood; the line added below it is in the
   * script's scope and hands over its `run`. Undefined when it ended there.
   */
  #readScript(): QuickJSHandle | undefined {
    const vm = this.#vm;
    const { source, fileName } = this.#start;
    let named: QuickJSHandle = vm.undefined;
    const take = vm.newFunction(TAKE_RUN, (candidate) => {
      named = candidate!.dup();
    });
    vm.setProp(vm.global, TAKE_RUN, take);
    const added = `\n;${TAKE_RUN}(typeof run === "function" ? run : undefined);delete globalThis.${TAKE_RUN};`;
    const evaluated = vm.evalCode(source + added, fileName, { type: "module" });
    if (evaluated.error) {
      this.#failWith(evaluated.error);
      return undefined;
    }
    if (!this.#runJobs()) return undefined; // an `await` at its top
    const module = vm.getPromiseState(evaluated.value);
    if (module.type === "rejected") this.#failWith(module.error);
    else if (module.type === "pending") this.#fail("script-error", `${fileName} waits at its top for ever`);
    else {
      const exported = vm.getProp(module.value, "default");
      return vm.typeof(exported) === "function" ? exported : named;
    }
    return undefined;
  }

  #goOn(): void {
    if (!this.#runJobs() || !this.#running) return;
    const state = this.#vm.getPromiseState(this.#running);
    if (state.type === "fulfilled") this.#finish(state.value);
    else if (state.type === "rejected") this.#failWith(state.error);
    else if (this.#open.size === 0)
      this.#fail("script-error", `${this.#start.fileName}: run waits for a promise that nothing will settle`);
  }

  /** Runs what can run now. False when that ended the script. */
  #runJobs(): boolean {
    while (!this.#ended && this.#runtime.hasPendingJob()) {
      const done = this.#runtime.executePendingJobs(JOBS_AT_ONCE);
      if (done.error) this.#failWith(done.error);
      else if (this.#isOver()) this.#fail("timeout", "");
    }
    return !this.#ended;
  }

  #finish(value: QuickJSHandle): void {
    const vm = this.#vm;
    const rendered = vm.callFunction(vm.getProp(this.#inside!, "render"), vm.undefined, value);
    if (rendered.error) {
      if (this.#isOver()) return this.#fail("timeout", "");
      const { code, message } = describeError(vm, rendered.error, undefined, this.#start.fileName);
      this.#fail(code === "script-error" ? "bad-result" : code, `what run returned is not JSON: ${message}`);
    } else if (vm.typeof(rendered.value) !== "string") this.#fail("bad-result", "what run returned is not JSON");
    else this.#end({ type: "done", text: capped(vm.getString(rendered.value), this.#start.maxOutputBytes).text });
  }

  #isOver(): boolean {
    return process.hrtime.bigint() >= Atomics.load(this.#deadline, 0);
  }

  #failWith(error: QuickJSHandle): void {
    if (this.#isOver()) return this.#fail("timeout", "");
    const { code, message } = describeError(this.#vm, error, this.#codeOf, this.#start.fileName);
    this.#fail(code, message);
  }

  #fail(code: ScriptCode, message: string): void {
    this.#end({ type: "failed", code, message });
  }

  #end(ending: { type: "done"; text: string } | { type: "failed"; code: ScriptCode; message: string }): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#say({ ...ending, log: this.#log.text });
  }

  /** What breaks the machine itself and not the script is mostly that no memory is left to tell of it. */
  #guarded(work: () => void): void {
    try {
      work();
    } catch (error) {
      if (this.#isOver()) this.#fail("timeout", "");
      else if (this.#memory.buffer.byteLength > 0.95 * MOST_MEMORY_PAGES * PAGE_BYTES) this.#fail("out-of-memory", "");
      else this.#fail("script-error", error instanceof Error ? error.message : String(error));
    }
  }
}
