// Bundle-time patches: each saves a measured cost at start. A patch whose place is gone after an upgrade fails the build,
// so that none is lost silently.

import { readFile } from "node:fs/promises";

/**
 * The SDKs build request headers with the global `Headers`, whose first mention boots undici: 20 to 25 ms of CPU and
 * 10 MB. A plain record does the same here (names are already lower-cased by `normalizeHeaders`).
 */
const plainHeaders = patch({
  name: "plain-headers",
  filter: /(provider-utils|@openrouter[/\\]ai-sdk-provider)[/\\]dist[/\\]index\.js$/,
  replacements: [
    [
      /const normalizedHeaders = new Headers\(normalizeHeaders\(headers\)\);\s*const currentUserAgentHeader = normalizedHeaders\.get\("user-agent"\) \|\| "";\s*normalizedHeaders\.set\(\s*"user-agent",\s*(\[[^\]]*\]\.filter\(Boolean\)\.join\(" "\))\s*\);\s*return Object\.fromEntries\(normalizedHeaders\.entries\(\)\);/,
      'const normalizedHeaders = normalizeHeaders(headers); const currentUserAgentHeader = normalizedHeaders["user-agent"] || ""; return { ...normalizedHeaders, "user-agent": $1 };',
    ],
    [/headers instanceof Headers\b/g, 'typeof headers.forEach === "function" && !Array.isArray(headers)'],
  ],
});

/**
 * Every request carries the whole history, and the SDK turns each message of it into the wire format anew. `sdk-request`
 * hands the same object for the same message and options, so what it became the last time still holds.
 */
const turnedOnce = patch({
  name: "turned-once",
  filter: /openai-compatible[/\\]dist[/\\]index\.js$/,
  replacements: [
    [
      /function convertToOpenAICompatibleChatMessages\(prompt, (\{[^)]*\}) = \{\}\) \{/,
      `const turnedBefore = new WeakMap();
function convertToOpenAICompatibleChatMessages(prompt, options) {
  return prompt.flatMap((message) => {
    if (!turnedBefore.has(message)) turnedBefore.set(message, turnMessages([message], options));
    return turnedBefore.get(message);
  });
}
function turnMessages(prompt, $1 = {}) {`,
    ],
  ],
});

/** zod's namespace carries the messages of 50 languages (about 200 kB parsed at start); only English is ever shown. */
const englishZod = {
  name: "english-zod",
  setup(build) {
    build.onLoad({ filter: /[/\\]zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js";',
      loader: "js",
    }));
  },
};

/** The SDKs' experimental question-answering models: 50 kB per provider that nothing of ours can reach. */
const noExperiments = {
  name: "no-experiments",
  setup(build) {
    build.onLoad({ filter: /provider-utils[/\\]dist[/\\]experimental-(decision|extraction)[/\\]index\.js$/ }, () => ({
      contents:
        "export class Experimental_DecisionLanguageModel {}\nexport class Experimental_ExtractionLanguageModel {}\n",
      loader: "js",
    }));
  },
};

/** Files whose exports stand in for globals of the same names, everywhere in the bundle. */
export const inject = ["src/providers/plain-streams.ts"];

/** esbuild plugins, in no particular order. */
export const plugins = [plainHeaders, turnedOnce, englishZod, noExperiments];

function patch({ name, filter, replacements }) {
  return {
    name,
    setup(build) {
      build.onLoad({ filter }, async ({ path }) => {
        let contents = await readFile(path, "utf8");
        for (const [pattern, replacement] of replacements) {
          if (contents.search(pattern) < 0) throw new Error(`bundle patch ${name}: its place is gone from ${path}`);
          contents = contents.replace(pattern, replacement);
        }
        return { contents, loader: "js" };
      });
    },
  };
}
