import type { Plugin } from "esbuild";

export const plugins: Plugin[];
export const define: Record<string, string>;
export const alias: Record<string, string>;
