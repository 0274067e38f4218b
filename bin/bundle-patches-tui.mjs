/**
 * What esbuild replaces in Ink and its dependencies. Each entry says why and what it gains: milliseconds of wall time
 * and of CPU until Ink has drawn its first panel (65 and 72 with all of them; medians of 9 runs on Node 24, 2 cores).
 * Tried without gain on Ink 8: es-toolkit's `throttle` alone (the bundler drops the rest already).
 * Use: `build({ plugins, alias, define, ... })`.
 */
import { readFile } from "node:fs/promises";

export const define = {
  // React's and the reconciler's production halves: 10 ms, 10 ms CPU, 280 kB.
  "process.env.NODE_ENV": '"production"',
  // Ink's devtools branch, with its top-level awaits of package.json and a socket probe, goes away.
  "process.env.DEV": '"false"',
};

export const alias = {
  // Same widths on what a panel shows, without compiling string-width's large Unicode regular expressions: 13 ms, 14 ms CPU.
  "string-width": "fast-string-width",
};

/** No gain but a must: only reachable in development, its import would remain in the bundle and fail at run time. */
const devtools = {
  name: "no-react-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "react-devtools-core", namespace: "empty" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};", loader: "js" }));
  },
};

/** Yoga's loader calls fetch("data:...") where fetch exists, which starts all of undici; its other branch decodes
 * here: 17 ms, 25 ms CPU, 8 MB. */
const yoga = {
  name: "yoga-without-fetch",
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replaceAll(/"function"\s*!=\s*typeof fetch/g, "true"), loader: "js" };
    });
  },
};

export const plugins = [devtools, yoga];
