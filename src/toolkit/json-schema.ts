/** The part of JSON Schema (2020-12) our own tools use. Foreign tools may carry more; it is passed on untouched. */
export type JsonSchema =
  | {
      readonly type: "string";
      readonly description?: string;
      readonly enum?: readonly string[];
      readonly minLength?: number;
    }
  | {
      readonly type: "integer" | "number";
      readonly description?: string;
      readonly minimum?: number;
      readonly maximum?: number;
    }
  | { readonly type: "boolean"; readonly description?: string }
  | {
      readonly type: "array";
      readonly description?: string;
      readonly items: JsonSchema;
      readonly minItems?: number;
      readonly maxItems?: number;
    }
  | ObjectSchema;

export interface ObjectSchema {
  readonly type: "object";
  readonly description?: string;
  readonly properties: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
}

/** The TypeScript type a schema describes. */
export type Described<S> = S extends { type: "string"; enum: readonly (infer E)[] }
  ? E
  : S extends { type: "string" }
    ? string
    : S extends { type: "integer" | "number" }
      ? number
      : S extends { type: "boolean" }
        ? boolean
        : S extends { type: "array"; items: infer I }
          ? readonly Described<I>[]
          : S extends { type: "object"; properties: infer P; required: readonly (infer R)[] }
            ? { readonly [K in keyof P as K extends R ? K : never]: Described<P[K]> } & {
                readonly [K in keyof P as K extends R ? never : K]?: Described<P[K]>;
              }
            : S extends { type: "object"; properties: infer P }
              ? keyof P extends never
                ? Readonly<Record<string, unknown>>
                : { readonly [K in keyof P]?: Described<P[K]> }
              : never;
