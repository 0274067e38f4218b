// Judging shell commands: ordinary ones of the corpora, and one script as long as scripts get.
import { judge } from "../../src/policy/judge.ts";
import { gatherPolicy, SHIPPED_TIER } from "../../src/policy/rules.ts";
import { makeWorkspace, readCorpus } from "../unit/policy/shell-corpus.ts";

const policy = gatherPolicy([SHIPPED_TIER]);
const LONG = [
  "echo 'hello world' && grep -n foo README.md | head -5\n",
  'for f in a b c; do echo "$f" | grep -c x > out.txt; done\n',
];

/** Milliseconds: the ordinary command that takes longest, and 64 KB of script; the best of several runs each. */
export async function judgeMs() {
  const workspace = makeWorkspace();
  const fastest = async (command, runs) => {
    const times = [];
    for (let run = 0; run < runs; run++) {
      const from = performance.now();
      judge(await workspace.bash(command), policy, { session: new Set(), saved: [] });
      times.push(performance.now() - from);
    }
    return Math.min(...times);
  };
  try {
    await workspace.bash("ls"); // loads the parsers
    const ordinary = [];
    for (const command of [...readCorpus("harmless"), ...readCorpus("hostile")].filter((_, at) => at % 8 === 0))
      ordinary.push(await fastest(command, 5));
    const long = [];
    for (const line of LONG) long.push(await fastest(line.repeat(Math.ceil((64 * 1024) / line.length)), 8));
    return { ordinary: Math.max(...ordinary), long: Math.max(...long) };
  } finally {
    workspace.remove();
  }
}
