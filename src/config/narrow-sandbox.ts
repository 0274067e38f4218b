import { isAbsolute, normalize } from "node:path";
import type { FeaturesPatch } from "./features.ts";
import type { Traced } from "./traced.ts";

/**
 * What a project's file may say of the sandbox: it may turn it on, close the network and narrow what is reachable to
 * folders of its own; whoever wrote the project does not decide what it may reach beyond. `below` is what holds
 * without that file. Returns the rest of the file unchanged, and what of it was left out.
 */
export function narrowSandbox(
  top: Traced<unknown>,
  below: FeaturesPatch["sandbox"],
): { readonly top: Traced<unknown>; readonly left: readonly string[] } {
  const patch = top.value as { readonly sandbox?: FeaturesPatch["sandbox"] };
  const wanted = patch.sandbox;
  if (wanted === undefined) return { top, left: [] };
  const own = [below?.restrictions, below?.extra].flatMap((lists) => [...(lists?.ro ?? []), ...(lists?.rw ?? [])]);
  const lists = { ro: wanted.restrictions?.ro ?? [], rw: wanted.restrictions?.rw ?? [] };
  const named = [...lists.ro, ...lists.rw];
  // Lists that name nothing narrow nothing: they could only take the place of lists that do.
  const narrows = own.length === 0 && named.length > 0 && named.every(staysInside);
  const sandbox: FeaturesPatch["sandbox"] = {
    ...(wanted.enabled === true && { enabled: true }),
    ...(wanted.network === "none" && { network: "none" }),
    ...(narrows && wanted.restrictions && { restrictions: wanted.restrictions }),
  };
  const left = [
    ...(wanted.enabled === false ? ["sandbox.enabled"] : []),
    ...(wanted.network === "inherit" ? ["sandbox.network"] : []),
    ...(!narrows && wanted.restrictions ? ["sandbox.restrictions"] : []),
    ...(wanted.extra ? ["sandbox.extra"] : []),
  ];
  return { top: { value: { ...patch, sandbox }, origins: top.origins }, left };
}

const staysInside = (path: string) =>
  !isAbsolute(path) && !/^~|\$/.test(path) && !/^\.\.(?:\/|$)/.test(normalize(path));
