import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import type { Node } from "web-tree-sitter";
import type { Script } from "./syntax.ts";

/** Two parsers of the shell language that share no code. */
export interface Parsers {
  /** @throws Error when the text is no shell script, or one this parser does not know. */
  parse(text: string): Script;
  /** Hands the root of the other parser's tree to `use`; the tree is gone afterwards. */
  withTree<T>(text: string, use: (root: Node) => T): T;
}

/** Loads both. They are heavy, so this waits until the first shell command is judged. */
export async function loadParsers(): Promise<Parsers> {
  for (const flag of NO_OPTIMISING) setFlagsFromString(flag);
  const [{ parse }, { Language, Parser }] = await Promise.all([import("./just-bash.ts"), import("web-tree-sitter")]);
  // The types say Emscripten's whole module; of it only the bytes are needed.
  const engine: object = { wasmBinary: readWasm("web-tree-sitter") };
  await Parser.init(engine as Parameters<typeof Parser.init>[0]);
  const language = await Language.load(readWasm("tree-sitter-bash"));
  const parser = new Parser();
  parser.setLanguage(language);
  return {
    parse,
    withTree(text, use) {
      const deadline = performance.now() + MAX_MS;
      const tree = parser.parse(text, null, { progressCallback: () => performance.now() > deadline });
      if (!tree) {
        parser.reset();
        throw new Error("it takes too long to read");
      }
      try {
        return use(tree.rootNode);
      } finally {
        tree.delete();
      }
    },
  };
}

const MAX_MS = 1000;
/**
 * V8 optimises wasm functions that run often. The grammar's lexer is one function of 160 kB: optimising it takes 0.4 s
 * of processor time and 500 MB, and saves a tenth of the time of long scripts. (The last flag means the other two only
 * where it stands on the command line.)
 */
const NO_OPTIMISING = ["--no-wasm-tier-up", "--no-wasm-dynamic-tiering", "--liftoff-only"];

/** Beside the bundle, or in the package when run from source. */
function readWasm(name: "web-tree-sitter" | "tree-sitter-bash"): Uint8Array {
  const shipped = fileURLToPath(new URL(`../wasm/${name}.wasm`, import.meta.url));
  if (existsSync(shipped)) return readFileSync(shipped);
  const require = createRequire(import.meta.url);
  return readFileSync(
    name === "tree-sitter-bash"
      ? require.resolve("tree-sitter-bash/tree-sitter-bash.wasm")
      : require.resolve("web-tree-sitter/web-tree-sitter.wasm"),
  );
}
