export interface CompactionTodos {
  readonly summary: string;
  readonly items: readonly { readonly content: string; readonly status: string }[];
}

/** The todo list as a summary carries it on; nothing when there is none. */
export function todoLines({ summary, items }: CompactionTodos): readonly string[] {
  if (items.length === 0 && summary === "") return [];
  const lines = items.map(({ content, status }, at) => `${at + 1}. [${status}] ${content}`);
  const unfinished = items.filter(({ status }) => status !== "completed").length;
  return [
    ["*** [BEGIN TODOS]", ...(summary ? [`**Summary:** ${summary}`] : []), ...lines, "*** [END TODOS]"].join("\n"),
    ...(unfinished > 1 ? [`${unfinished} of these are not finished. Keep to this list; do not make a new one.`] : []),
  ];
}
