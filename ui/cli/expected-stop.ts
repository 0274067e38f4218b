/** A mistake or situation a person can mend: printed as one line, never with a stack. */
export class ExpectedStop extends Error {
  constructor(
    message: string,
    readonly exitCode = 2,
  ) {
    super(message);
    this.name = "ExpectedStop";
  }
}
