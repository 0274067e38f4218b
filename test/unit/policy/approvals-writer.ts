import { openApprovals } from "../../../src/policy/approvals.ts";

/** A process of its own that saves patterns: `approvals-writer.ts FILE PATTERN...`. Exit code 1 on any warning. */
const [file = "", ...patterns] = process.argv.slice(2);
const approvals = openApprovals({ project: file }, []);
for (const pattern of patterns) if (await approvals.remember("project", pattern)) process.exitCode = 1;
