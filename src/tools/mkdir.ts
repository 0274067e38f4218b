import { defineTool } from "../toolkit/tool.ts";

export const mkdir = defineTool({
  name: "Mkdir",
  description: "Creates directories with their missing parents.",
  input: {
    type: "object",
    properties: { paths: { type: "array", items: { type: "string", minLength: 1 }, minItems: 1 } },
    required: ["paths"],
  },
  changes: "files",

  async run({ paths }, { files, cwd }) {
    let created = 0;
    for (const path of paths) {
      const resolved = await files.resolve(path, cwd);
      const found = await files.stat(resolved);
      if (found && found.kind !== "directory") throw new Error(`path exists but is not a directory: ${resolved}`);
      if (await files.makeDirectory(resolved)) created++;
    }
    const existed = paths.length - created;
    if (created === 0) return `All ${existed} directories already exist`;
    return `Created ${created} directories${existed > 0 ? `, ${existed} already existed` : ""}`;
  },

  paths: ({ paths }) => ({ write: paths }),
});
