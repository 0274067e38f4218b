import { expect, test } from "vitest";
import { firstOutside } from "../../../src/sandbox/path-guard.ts";

const wish = { readOnly: ["/docs", "/p/vendor"], readWrite: ["/p"], guarded: ["/p/.aura"] };
const outside = (reads: readonly string[], writes: readonly string[] = []) => firstOutside({ reads, writes }, wish);

test("what is declared may be read, what is declared writable may be written", () => {
  expect(outside(["/p/a", "/docs", "/docs/b", "/p"], ["/p/a", "/p/new/b"])).toBeUndefined();
});

test.each<[string, readonly string[], readonly string[], object]>([
  ["reading elsewhere", ["/p/a", "/etc/hosts"], [], { path: "/etc/hosts", access: "read" }],
  ["reading a folder that only begins alike", ["/p2/a"], [], { path: "/p2/a", access: "read" }],
  ["writing what is only to be read", [], ["/docs/a"], { path: "/docs/a", access: "write" }],
  ["writing elsewhere", ["/p/a"], ["/tmp/a"], { path: "/tmp/a", access: "write" }],
  ["writing what is guarded", [], ["/p/.aura/config/x.yaml"], { path: "/p/.aura/config/x.yaml", access: "write" }],
  ["reading another process's files", ["/proc/1/root/p/a"], [], { path: "/proc/1/root/p/a", access: "read" }],
])("%s is refused, by the path", (_what, reads, writes, refused) => {
  expect(outside(reads, writes)).toEqual(refused);
});
