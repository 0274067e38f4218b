/** One field of the flat form a server asks to be filled in. */
export interface ElicitedField {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly isRequired: boolean;
  /** A person should not type this for a server. */
  readonly isSecret: boolean;
  readonly kind: "text" | "number" | "integer" | "boolean" | "choice";
  /** What is chosen from, with what each sends. Empty: free text. */
  readonly options: readonly { readonly label: string; readonly value: string | boolean }[];
  readonly isMulti: boolean;
  readonly fallback?: unknown;
  /** The limits its schema sets. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export type FieldValue = string | number | boolean | string[];
export type ReadField = { readonly value: FieldValue | undefined } | { readonly problem: string };

const MOST_FIELDS = 50;
const LONGEST_WORDS = 500;

/** The fields of a `requestedSchema`; the SDK has checked that it is flat. */
export function readFields(schema: unknown): readonly ElicitedField[] {
  const { properties, required } = Object(schema) as { properties?: Record<string, object>; required?: unknown };
  const wanted = new Set(Array.isArray(required) ? required : []);
  return Object.entries(properties ?? {})
    .slice(0, MOST_FIELDS)
    .map(([name, field]) => {
      const spec = Object(field) as Record<string, unknown>;
      const title = cut(spec["title"]) || name;
      const description = cut(spec["description"]);
      const isMulti = spec["type"] === "array";
      const options = optionsOf(isMulti ? Object(spec["items"]) : spec);
      return {
        name,
        title,
        description,
        isRequired: wanted.has(name),
        isSecret:
          spec["format"] === "password" || [name, title, wishes(description)].some((words) => SECRET.test(words)),
        kind: kindOf(spec, options.length > 0),
        options,
        isMulti,
        ...("default" in spec && { fallback: spec["default"] }),
        schema: spec,
      };
    });
}

/** What servers have no business asking for in a form (MCP specification, client/elicitation, security). */
const SECRET =
  /pass(?:word|phrase|code|wd)|secret|token|api[\s_-]?key|access[\s_-]?key|private[\s_-]?key|credential|\b(?:pin|cvv|cvc|otp|ssn|2fa|mfa|totp)\b|credit[\s_-]?card|card[\s_-]?number|\biban\b|seed[\s_-]?phrase/i;

/** A description without its warnings: "do not give us your PIN" asks for none. */
const wishes = (description: string) => description.replaceAll(/[^.;()]*\b(?:not|never|don't|without)\b[^.;()]*/gi, "");

function kindOf(spec: Readonly<Record<string, unknown>>, hasOptions: boolean): ElicitedField["kind"] {
  const { type } = spec;
  if (type === "boolean" || type === "number" || type === "integer") return type;
  return hasOptions ? "choice" : "text";
}

function optionsOf(spec: Readonly<Record<string, unknown>>): ElicitedField["options"] {
  if (spec["type"] === "boolean")
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  const titled = spec["oneOf"] ?? spec["anyOf"];
  if (Array.isArray(titled))
    return titled.map((one) => ({ label: cut(one.title) || String(one.const), value: String(one.const) }));
  if (!Array.isArray(spec["enum"])) return [];
  const names = Array.isArray(spec["enumNames"]) ? spec["enumNames"] : [];
  return spec["enum"].map((value, at) => ({ label: cut(names[at]) || String(value), value: String(value) }));
}

/** What a person answered, as the field wants it; nothing means its default, or that it is left out. */
export function readField(field: ElicitedField, answer: readonly string[]): ReadField {
  const given = answer.map((text) => text.trim()).filter(Boolean);
  if (given.length === 0) {
    if (field.fallback !== undefined) return { value: field.fallback as FieldValue }; // its own schema says it fits
    return field.isRequired ? { problem: "This is needed." } : { value: undefined };
  }
  if (field.options.length > 0) return readChoice(field, given);
  const [text = ""] = given;
  return field.kind === "text" ? readText(field, text) : readNumber(field, text);
}

function readChoice({ options, isMulti, schema }: ElicitedField, given: readonly string[]): ReadField {
  const chosen = given.map((label) => options.find((option) => option.label === label || option.value === label));
  const wrong = given.find((_, at) => chosen[at] === undefined);
  if (wrong !== undefined)
    return { problem: `"${wrong}" is not one of ${options.map(({ label }) => label).join(", ")}.` };
  const values = chosen.map((option) => option!.value); // every one was found above
  if (!isMulti) return { value: values[0] };
  const { minItems, maxItems } = schema;
  if (typeof minItems === "number" && values.length < minItems) return { problem: `Choose at least ${minItems}.` };
  if (typeof maxItems === "number" && values.length > maxItems) return { problem: `Choose at most ${maxItems}.` };
  return { value: values.map(String) };
}

function readNumber({ kind, schema }: ElicitedField, text: string): ReadField {
  const value = Number(text);
  const { minimum, maximum } = schema;
  if (!Number.isFinite(value)) return { problem: `"${text}" is no number.` };
  if (kind === "integer" && !Number.isInteger(value)) return { problem: `"${text}" is no whole number.` };
  if (typeof minimum === "number" && value < minimum) return { problem: `It must be at least ${minimum}.` };
  if (typeof maximum === "number" && value > maximum) return { problem: `It must be at most ${maximum}.` };
  return { value };
}

const FORMATS: Readonly<Record<string, { readonly test: (text: string) => boolean; readonly words: string }>> = {
  email: { test: (text) => /^[^\s@]+@[^\s@]+$/.test(text), words: "an e-mail address" },
  uri: { test: (text) => URL.canParse(text), words: "an address like https://example.org" },
  date: {
    test: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    words: "a date like 2026-01-31",
  },
  "date-time": {
    test: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    words: "a time like 2026-01-31T12:00:00Z",
  },
};

function readText({ schema }: ElicitedField, text: string): ReadField {
  const { minLength, maxLength, format } = schema;
  if (typeof minLength === "number" && text.length < minLength)
    return { problem: `It must have at least ${minLength} characters.` };
  if (typeof maxLength === "number" && text.length > maxLength)
    return { problem: `It must have at most ${maxLength} characters.` };
  const rule = typeof format === "string" && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  return rule && !rule.test(text) ? { problem: `It must be ${rule.words}.` } : { value: text };
}

const cut = (words: unknown) => (typeof words === "string" ? words.slice(0, LONGEST_WORDS) : "");
