import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("..", import.meta.url).pathname,
  // The build sets it from package.json.
  define: { AURA_VERSION: '"0.0.0-test"' },
  test: {
    globalSetup: ["test/product/build.ts"],
    include: ["test/**/*.test.{ts,tsx}"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
