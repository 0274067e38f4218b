/** A line end in a name would look like two names, and an escape sequence would act. */
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/;

/**
 * A file name as it stands in a listing of one name a line: as it is, or as a JSON string when a control character is
 * in it. What is between the quotes is what a tool's `path` takes.
 */
export function showName(name: string): string {
  return UNPRINTABLE.test(name) ? JSON.stringify(name) : name;
}
