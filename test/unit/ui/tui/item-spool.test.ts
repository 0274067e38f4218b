import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemSpool } from "../../../../ui/tui/item-spool.ts";
import type { Item } from "../../../../ui/view/view-state.ts";

const anyItem = fc.record({
  kind: fc.constantFrom("notice", "bookmark"),
  key: fc.string(),
  text: fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
  level: fc.constant("info"),
}) as fc.Arbitrary<Item>;

test("items come back as they were, in any order, also after it was emptied", () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyItem, { maxLength: 5 }), { maxLength: 6 }), (batches) => {
      const spool = new ItemSpool();
      spool.add([{ kind: "bookmark", key: "gone", text: "gone" }]);
      spool.clear();
      for (const batch of batches) spool.add(batch);
      const items = batches.flat();
      expect(spool.length).toBe(items.length);
      for (let index = items.length - 1; index >= 0; index--) {
        expect(spool.at(index)).toEqual(items[index]);
        expect(spool.kindAt(index)).toBe(items[index]?.kind);
      }
      spool.close();
    }),
  );
});
