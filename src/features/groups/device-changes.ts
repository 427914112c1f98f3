/** What changed of the devices, as counts. */
export function deviceChanges(
  before: readonly string[],
  now: ReadonlySet<string>,
): { added: number; removed: number } {
  const removed = before.reduce((count, imei) => (now.has(imei) ? count : count + 1), 0)
  return { added: now.size - (before.length - removed), removed }
}
