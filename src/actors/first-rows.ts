/** More a call does not answer. */
const MOST = 100

/** The first rows of a list, by as many calls as it takes. */
export async function firstRows<T>(
  wanted: number,
  page: (skip: number, limit: number) => Promise<readonly T[]>,
): Promise<T[]> {
  const rows: T[] = []
  for (;;) {
    const limit = Math.min(MOST, wanted - rows.length)
    const next = await page(rows.length, limit)
    rows.push(...next)
    if (rows.length >= wanted || next.length < limit) return rows
  }
}
