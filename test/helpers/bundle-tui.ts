import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { alias, define, plugins } from "../../bin/bundle-patches-tui.mjs";

/** Bundles a program as the product is bundled, by default the screen tests'. Resolves to the folder and the file to run. */
export async function bundleTui(
  entry = new URL("./tui-program.ts", import.meta.url),
): Promise<{ folder: string; program: string }> {
  const folder = await mkdtemp(join(tmpdir(), "aura-tui-"));
  await build({
    entryPoints: { program: entry.pathname },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    minify: true,
    platform: "node",
    format: "esm",
    jsx: "automatic",
    target: "node22",
    // CommonJS parts of React and Ink ask for built-in modules.
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    // As in the product: the CommonJS build of yaml has no named exports when it is imported lazily.
    alias: { ...alias, yaml: fileURLToPath(new URL("../../node_modules/yaml/browser/index.js", import.meta.url)) },
    define,
    plugins,
    logLevel: "error",
  });
  return { folder, program: join(folder, "program.mjs") };
}
