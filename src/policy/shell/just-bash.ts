// Only what is named here gets into the bundle: the package is a whole shell, of which the parser is a small part.
export { parse } from "just-bash";
