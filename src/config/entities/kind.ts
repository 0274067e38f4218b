import type * as z from "zod";
import type { KindName } from "../kinds.ts";
import type { Spellings } from "../spellings.ts";

/** One kind of configuration: what a person may write in a file of it. */
export interface EntityKind<T> {
  readonly name: KindName;
  /** Of one entity: the head of a Markdown file, one value of a map, a whole features or rules file. */
  readonly schema: z.ZodType<T>;
  /** `inherit` is understood. */
  readonly inherits?: boolean;
  /** Fields that must be there after inheritance. */
  readonly required?: readonly string[];
  /** Other spellings of fields. */
  readonly spellings?: Spellings;
  /** What is wrong with a name in a map, when something is. */
  readonly checkName?: (name: string) => { readonly code: string; readonly message: string } | undefined;
}
