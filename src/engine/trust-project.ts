import type { Engine } from "./engine.ts";
import { reviewTrust, type TrustReview } from "./trust-review.ts";

const NEVER = new AbortController().signal;

/** `/trust`: shows a person everything a project would run, with what changed since, and trusts it on a yes. */
export async function trustProject(engine: Engine, reload: () => Promise<void>): Promise<string> {
  engine.trustQuestion?.abort();
  const review = await reviewTrust(engine);
  if (review.isEmpty) return "There is nothing here that is not trusted.";
  if (review.waiting.length > 0 && !(await approved(engine, review)))
    return "Nothing was trusted: what the project would run was not approved.";
  return trusted(await review.accept(), reload);
}

/** At a first look at a project that would run something: a person chooses. The answer holds until it changes. */
export async function askForTrust(engine: Engine, reload: () => Promise<void>): Promise<void> {
  const review = await reviewTrust(engine);
  const { trust } = engine.trusted;
  const asked = review.stamp;
  if (review.waiting.length === 0 || trust.declined(asked.project) === asked.hash) return;
  const count = review.waiting.length;
  const what = review.waiting.some(({ diff }) => diff !== undefined)
    ? "Something this project runs has changed since you trusted it."
    : `This project comes with ${count === 1 ? "something" : `${count} things`} it would run on this machine.`;
  const question = new AbortController();
  engine.trustQuestion = question;
  for (;;) {
    const opened = engine.requests.open("pick", { title: `${what} Trust it?`, items: CHOICES }, question.signal);
    const result = await opened.answered;
    const choice = result === "withdrawn" ? null : result.answer;
    if (choice === "trust" || (choice === "show" && (await approved(engine, review)))) {
      const text = await trusted(await review.accept(), reload);
      engine.emit({ type: "notice", level: "info", text });
      return;
    }
    if (choice === "show") continue;
    // Nobody being there to answer is no answer.
    if (result !== "withdrawn") await trust.decline(asked.project, asked.hash);
    return;
  }
}

/** The one that changes nothing stands first: Enter must not be what trusts. */
const CHOICES = [
  { id: "show", label: "Show what it would run" },
  { id: "later", label: "Not now", description: "everything else works; /trust asks again" },
  { id: "trust", label: "Trust it as it is now", description: "until one of these things changes" },
];

async function approved(engine: Engine, { waiting }: TrustReview): Promise<boolean> {
  const text = [
    "Each of these would run, or let something run unasked, until it changes:",
    ...waiting.map(
      ({ title, text, diff }) => `## ${inline(title)}\n\n${fenced(diff ?? text, diff === undefined ? "" : "diff")}`,
    ),
  ].join("\n\n");
  const opened = engine.requests.open("review", { title: "Trust this project?", text }, NEVER);
  const result = await opened.answered;
  return result !== "withdrawn" && result.answer?.approved === true;
}

async function trusted(what: readonly string[], reload: () => Promise<void>): Promise<string> {
  await reload();
  return `Trusted: ${what.join(", ")}`;
}

/** As it is written, whatever Markdown it holds. */
const inline = (text: string) => `\`${text.replaceAll("`", "'").replaceAll("\n", " ")}\``;

function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`;
}
