import { expect, test } from "vitest";
import { Availability } from "../../../src/engine/availability.ts";

const create = () =>
  new Availability(
    () => {
      throw new Error("not asked");
    },
    () => undefined,
  );

test("a condition nobody decided is open, and once conditions are decided it does not hold", () => {
  const availability = create();
  const [auto, other] = [{ value: "auto" }, { value: "todo_empty" }];
  expect(availability.conditionState(auto)).toBe("undecided");
  expect(availability.decide([[auto, "holds"]])).toBe(true);
  expect([availability.conditionState(auto), availability.conditionState(other)]).toEqual(["holds", "fails"]);
  expect(availability.decide([[auto, "holds"]])).toBe(false);
  expect(availability.decide([[auto, "fails"]])).toBe(true);
});

test("the same words in two files are two conditions", () => {
  const availability = create();
  const [mine, theirs] = [
    { value: "bash:true", file: "/mine.yaml" },
    { value: "bash:true", file: "/theirs.yaml" },
  ];
  availability.decide([
    [mine, "holds"],
    [theirs, "untrusted"],
  ]);
  expect([availability.conditionState(mine), availability.conditionState(theirs)]).toEqual(["holds", "untrusted"]);
});

test("what was offered keeps its place while it is away, until another session begins", () => {
  const availability = create();
  availability.offered(["Read", "Bash"]);
  availability.offered(["Bash", "Ls"]);
  expect(availability.order).toEqual(["Read", "Bash", "Ls"]);
  availability.restart(["TodoList"]);
  expect([availability.order, availability.loaded]).toEqual([[], ["TodoList"]]);
});
