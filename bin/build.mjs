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
  const patches = [modelPatches, screenPatches];
  await build({
    absWorkingDir: root,
    entryPoints: { main: "ui/main.ts" },
    outdir: fresh,
    bundle: true,
    splitting: true,
    minify: true,
    keepNames: false,
    sourcemap: "linked",
    sourcesContent: false,
    format: "esm",
    platform: "node",
    target: "node22.12",
    chunkNames: "chunks/[name]-[hash]",
    // Binary packages stay outside; everything else is bundled, so that a start opens few files.
    external: ["@vscode/ripgrep"],
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env.DEV": '"false"',
      AURA_VERSION: JSON.stringify(version),
      ...Object.assign({}, ...patches.map((patch) => patch.define ?? {})),
    },
    alias: Object.assign(
      // The ES module build of yaml: the CommonJS one has no named exports when it is imported lazily.
      { yaml: join(root, "node_modules/yaml/browser/index.js") },
      ...patches.map((patch) => patch.alias ?? {}),
    ),
    inject: patches.flatMap((patch) => patch.inject ?? []),
    plugins: patches.flatMap((patch) => patch.plugins ?? []),
    banner: {
      js: "import{createRequire as createRequireForBundle}from'node:module';const require=createRequireForBundle(import.meta.url);",
    },
    logLevel: "warning",
  });
  cpSync(join(root, ".aura/config"), join(fresh, "init"), { recursive: true, filter: isShipped });
  if (existsSync(join(root, ".aura/demo"))) cpSync(join(root, ".aura/demo"), join(fresh, "demo"), { recursive: true });
  rmSync(dist, { recursive: true, force: true });
  renameSync(fresh, dist);
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
