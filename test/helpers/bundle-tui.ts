import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { alias, define, plugins } from "../../bin/bundle-patches-tui.mjs";

/** Bundles the screen tests' program as the product is bundled. Resolves to the folder and the file to run. */
export async function bundleTui(): Promise<{ folder: string; program: string }> {
  const folder = await mkdtemp(join(tmpdir(), "aura-tui-"));
  await build({
    entryPoints: [new URL("./tui-program.ts", import.meta.url).pathname],
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
    alias,
    define,
    plugins,
    logLevel: "error",
  });
  return { folder, program: join(folder, "tui-program.mjs") };
}
