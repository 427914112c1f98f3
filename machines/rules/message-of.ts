/** What something thrown says: the message of an Error, else its own text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
