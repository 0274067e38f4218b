import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { runScenario } from "../helpers/scenario-run.ts";

const here = new URL(".", import.meta.url).pathname;
const stories = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, title: titleOf(name) }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));

test.each(stories)("$name: $title", ({ name }) => runScenario(join(here, name)));

test("there are stories to play", () => {
  expect(stories.length).toBeGreaterThanOrEqual(30);
});

function titleOf(name: string): string {
  const { title } = parse(readFileSync(join(here, name, "scenario.yaml"), "utf8")) as { title: string };
  return title;
}
