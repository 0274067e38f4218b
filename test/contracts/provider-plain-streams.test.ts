// The provider contract once more, with the streams that the bundle puts in the place of Node's.
import { vi } from "vitest";
import * as plain from "../../src/providers/plain-streams.ts";

for (const [name, stream] of Object.entries(plain)) vi.stubGlobal(name, stream);
await import("./provider.test.ts");
