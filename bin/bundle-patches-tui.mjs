/**
 * What esbuild replaces in Ink and its dependencies. Each entry says why; the figures are medians on the pinned Node.
 * Use: `build({ plugins, alias, define, ... })`.
 */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

export const define = {
  // React's and the reconciler's production halves.
  "process.env.NODE_ENV": '"production"',
  // Ink's devtools branch, with its top-level awaits of package.json and a socket probe, goes away.
  "process.env.DEV": '"false"',
};

export const alias = {
  // Same widths on what a panel shows, without compiling string-width's large Unicode regular expressions.
  "string-width": "fast-string-width",
};

/** Only reachable in development, but its static import would remain in the bundle and fail at run time. */
const devtools = {
  name: "no-react-devtools",
  setup(build) {
    build.onResolve({ filter: /^react-devtools-core$/ }, () => ({ path: "react-devtools-core", namespace: "empty" }));
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "export default {};", loader: "js" }));
  },
};

/** Yoga's loader calls fetch("data:...") where fetch exists, which starts all of undici; its other branch decodes here. */
const yoga = {
  name: "yoga-without-fetch",
  setup(build) {
    build.onLoad({ filter: /yoga-wasm-base64-esm\.js$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8");
      return { contents: source.replaceAll(/"function"\s*!=\s*typeof fetch/g, "true"), loader: "js" };
    });
  },
};

/** Ink asks es-toolkit's lodash layer for `throttle`: hundreds of modules for one function. */
const throttle = {
  name: "throttle-alone",
  setup(build) {
    build.onResolve({ filter: /^es-toolkit\/compat$/ }, ({ resolveDir }) =>
      build.resolve("es-toolkit/compat/throttle", { resolveDir, kind: "import-statement" }).then((found) => ({
        path: found.path,
        namespace: "throttle",
      })),
    );
    build.onLoad({ filter: /.*/, namespace: "throttle" }, ({ path }) => ({
      contents: `import throttle from ${JSON.stringify(path)}; export { throttle };`,
      resolveDir: fileURLToPath(new URL("..", import.meta.url)),
      loader: "js",
    }));
  },
};

export const plugins = [devtools, yoga, throttle];
