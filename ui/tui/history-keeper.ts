/** The file of earlier input: read once, appended to one entry after the other. */
import { appendHistory, loadHistory } from "../view/history-file.ts";

export class HistoryKeeper {
  private file: string | undefined;
  /** What was sent before the file was known. */
  private readonly unsaved: string[] = [];
  private saving: Promise<void> = Promise.resolve();

  /** `onProblem` is told why entries are not kept. */
  constructor(private readonly onProblem: (problem: string) => void) {}

  /** `onEntries` is told what the file holds, oldest first. */
  open(file: string, onEntries: (entries: readonly string[]) => void): void {
    this.file = file;
    this.saving = loadHistory(file).then(onEntries);
    for (const text of this.unsaved.splice(0)) this.append(file, text);
  }

  add(text: string): void {
    if (this.file === undefined) this.unsaved.push(text);
    else this.append(this.file, text);
  }

  /** Resolves when everything added so far is kept, or cannot be. */
  saved(): Promise<void> {
    return this.saving;
  }

  private append(file: string, text: string): void {
    this.saving = this.saving
      .then(() => appendHistory(file, text))
      .catch((error: unknown) => {
        this.onProblem(`input history is not saved: ${error instanceof Error ? error.message : String(error)}`);
      });
  }
}
