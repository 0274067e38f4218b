// Bundles ui/main.ts into dist/: one entry, lazy chunks, source maps. `--if-stale` builds only when a source is newer.
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as modelPatches from "./bundle-patches.mjs";
import * as screenPatches from "./bundle-patches-tui.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, "dist");
const SOURCES = ["src", "ui", "plugins", ".aura", "bin", "package.json"];
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const patches = [modelPatches, screenPatches];
const PLUGINS = patches.flatMap((patch) => patch.plugins ?? []);
const absolute = (path) => join(root, path);

const OPTIONS = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  keepNames: false,
  sourcemap: "linked",
  sourcesContent: false,
  format: "esm",
  platform: "node",
  target: "node22.12",
  chunkNames: "chunks/[name]-[hash]",
  // Binary packages stay outside; everything else is bundled, so that a start opens few files. The last two are native
  // packages that a part of just-bash we do not use asks for; a machine may have them or not.
  external: ["@vscode/ripgrep", "@mongodb-js/zstd", "node-liblzma"],
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.DEV": '"false"',
    AURA_VERSION: JSON.stringify(version),
    ...Object.assign({}, ...patches.map((patch) => patch.define ?? {})),
  },
  alias: Object.assign(
    // The ES module build of yaml: the CommonJS one has no named exports when it is imported lazily.
    { yaml: join(root, "node_modules/yaml/browser/index.js") },
    // Its main file requires others by a name that no bundler sees.
    { "jsonc-parser": join(root, "node_modules/jsonc-parser/lib/esm/main.js") },
    ...patches.map((patch) => patch.alias ?? {}),
  ),
  inject: patches.flatMap((patch) => patch.inject ?? []),
  banner: {
    js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
  },
  logLevel: "warning",
};

if (!process.argv.includes("--if-stale") || isStale()) await bundle();

function isStale() {
  const main = join(dist, "main.js");
  return !existsSync(main) || Math.max(...SOURCES.map((source) => newest(join(root, source)))) > statSync(main).mtimeMs;
}

function newest(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** Built beside the old one and put in its place when it is whole: a failed build leaves what worked. */
async function bundle() {
  const build = await loadBuild();
  const fresh = `${dist}-${process.pid}`;
  const main = { main: "ui/main.ts" };
  // The thread of a script tool is a program of its own: it shares no chunk, so that it splits none.
  const worker = {
    "script-worker": "src/extensions/script/worker.ts",
    "virtual-worker": "src/shell/virtual-worker.ts",
  };
  await Promise.all([
    build({
      ...OPTIONS,
      entryPoints: main,
      outdir: fresh,
      splitting: true,
      plugins: [...PLUGINS, await oneEngine(build)],
    }),
    build({ ...OPTIONS, entryPoints: worker, outdir: fresh, plugins: PLUGINS }),
  ]);
  cpSync(join(root, ".aura/config"), join(fresh, "init"), { recursive: true, filter: isShipped });
  if (existsSync(join(root, ".aura/demo"))) cpSync(join(root, ".aura/demo"), join(fresh, "demo"), { recursive: true });
  // Read at run time as it is (src/extensions/script/run-script.ts).
  const quickjs = "node_modules/@jitl/quickjs-wasmfile-release-sync/dist/emscripten-module.wasm";
  cpSync(join(root, quickjs), join(fresh, "quickjs.wasm"));
  // Read by src/policy/shell/parsers.ts when the first shell command is judged.
  for (const name of ["web-tree-sitter", "tree-sitter-bash"])
    cpSync(join(root, "node_modules", name, `${name}.wasm`), join(fresh, "wasm", `${name}.wasm`));
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
}

/**
 * Keeps the engine in one piece. esbuild makes a chunk for every set of lazy modules that share a file; each is one more
 * file that a start opens and links (58 of them where 22 do: 12 ms processor time). What the engine loads later finds
 * it loaded, so importing it whole costs nothing there, and all its files are shared by the same set.
 */
async function oneEngine(build) {
  const entry = "src/index.ts";
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["ui/main.ts"],
    bundle: true,
    packages: "external",
    format: "esm",
    metafile: true,
    write: false,
  });
  const lazy = Object.values(metafile.inputs)
    .flatMap(({ imports }) => imports)
    .filter(({ kind, path }) => kind === "dynamic-import" && path.startsWith("src/") && path !== entry);
  const later = new Set(lazy.map(({ path }) => absolute(path)));
  return {
    name: "one-engine",
    setup({ onLoad }) {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        if (!later.has(path)) return;
        return {
          contents: `${readFileSync(path, "utf8")}\nimport ${JSON.stringify(absolute(entry))};\n`,
          loader: "ts",
        };
      });
    },
  };
}

async function loadBuild() {
  try {
    return (await import("esbuild")).build;
  } catch (error) {
    if (error.code !== "ERR_MODULE_NOT_FOUND") throw error;
    process.stderr.write('aura: its packages are not installed yet: run "npm ci" first\n');
    process.exit(1);
  }
}

/** A person's own approvals of this repository are not part of the product. */
function isShipped(path) {
  return !/approvals\.yaml/.test(path);
}
