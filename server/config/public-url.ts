/**
 * What links start with, without a slash at the end: as given, else where the server listens.
 * @param address e.g. `http://127.0.0.1:4000`
 */
export function publicUrlOf(given: string | undefined, address: string): string {
  if (given !== undefined) return given
  const url = new URL(address)
  // who listens on every address of the machine has none of them to put into a link
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = 'localhost'
  return url.origin
}
