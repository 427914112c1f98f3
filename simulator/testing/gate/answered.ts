import { type Row, readTable } from './row.ts'
import { TABLE } from './table.ts'
import { WHO, WHOSE, type Who, type Whose } from './who.ts'

/** A request that is answered: a line of the table, somebody who asks, and whose they ask for. */
export type Answered = { row: Row; who: Who; whose: Whose }

/** One for each route that answers anybody; a top user's, asking for their own, where there is one. */
export const ANSWERED: ReadonlyMap<string, Answered> = (() => {
  const found = new Map<string, Answered>()
  const rows = readTable(TABLE)
  const inOrder: Who[] = ['top', ...WHO.filter((who) => who !== 'top')]
  for (const who of inOrder)
    for (const row of rows) {
      const [, expected] = row.cells.find(([asker]) => asker === who) ?? []
      const whose = (['parent', ...WHOSE] as const).find((each) =>
        typeof expected === 'number' ? expected === 0 : expected?.[each] === 0,
      )
      // at a top user's own place is what malformed requests are tried on
      const isMeant = whose !== undefined && (who !== 'top' || whose === 'parent')
      if (isMeant && !found.has(row.route)) found.set(row.route, { row, who, whose })
    }
  return found
})()

/** The others: routes of what is in memory for a while, of which there is none at the gate. A top user asks for what they guess. */
export const UNANSWERED: ReadonlyMap<string, Answered> = new Map(
  readTable(TABLE)
    .filter(({ route }) => !ANSWERED.has(route))
    .map((row) => [row.route, { row, who: 'top', whose: 'parent' }]),
)
