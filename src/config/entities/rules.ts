import { section, texts } from "./fields.ts";
import type { EntityKind } from "./kind.ts";

/** approvals.yaml and its neighbours (aura 6.6). */
export const rules: EntityKind<{ readonly tool_auto?: readonly string[] | undefined }> = {
  name: "rules",
  schema: section({ tool_auto: texts }),
};
