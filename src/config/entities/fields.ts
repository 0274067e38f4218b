import * as z from "zod";
import { parseDuration } from "../../text/duration.ts";
import { checkCondition } from "../condition.ts";

/** A text; YAML numbers and booleans are taken as they are written. */
export const text = z.preprocess(
  (value) => (typeof value === "number" || typeof value === "boolean" ? String(value) : value),
  z.string(),
);
export const texts = z.array(text);
export const textMap = z.record(z.string(), text);
export const flag = z.boolean();
export const number = z.number();
export const count = z.int().min(0);
export const percent = z.number().min(0).max(100);
export const anything = z.record(z.string(), z.unknown());

/** `5m`, `1h30m`; in milliseconds afterwards. */
export const duration = z.string().transform((value, context) => {
  const ms = parseDuration(value);
  if (ms !== undefined && ms >= 0) return ms;
  context.addIssue({ code: "custom", message: `"${value}" is not a duration such as 10s, 5m or 1h30m` });
  return z.NEVER;
});
export const durationOrMs = z.union([z.int().min(0), duration], {
  error: "expected a duration such as 10s or 5m, or a number of milliseconds",
});

/** An object of these fields, each optional; another field is a problem. */
export function section<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape).partial();
}

/** aura 4.1: which of a set are in, by wildcard. */
export const filter = section({ enabled: texts, disabled: texts });

/** aura 6.1. */
export const policy = section({ auto: texts, confirm: texts, deny: texts });

export const toolFilter = section({ enabled: texts, disabled: texts, policy });

/** aura 10. */
export const condition = text.superRefine((value, context) => {
  const message = value === "" ? undefined : checkCondition(value);
  if (message !== undefined) context.addIssue({ code: "custom", message });
});
