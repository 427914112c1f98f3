import { setImmediate as breath } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import { seqAt } from '../../read-models/shift.ts'
import type { Store } from '../../store/store.ts'
import type { RequestName, Requests } from './worker-messages.ts'

/** Some milliseconds of the server's time. */
const FACTS_A_PAGE = 500

/**
 * What the thread is given of the store. All the server does is hand out pages and packed chunks, with a breath after each:
 * unpacking, reckoning and writing are the thread's. Readings that their company keeps no longer are not among it.
 */
export function createDataProvider({
  store: { log, telemetry },
  directory: { devices, companies },
  clock,
}: {
  store: Pick<Store, 'log' | 'telemetry'>
  directory: Pick<Directory, 'devices' | 'companies'>
  clock: Clock
}) {
  const firstKept = (no: number): number =>
    keptFrom(companies.get(devices[no]?.companyId ?? '')?.retentionDays ?? null, clock.now())
  const give: { [W in RequestName]: (ask: Requests[W]['ask']) => Promise<Requests[W]['answer']> } = {
    async facts({ types, after, upTo, companyId }) {
      const page = log.readFacts(after, { types: [...types], limit: FACTS_A_PAGE })
      const last = page.at(-1)?.seq
      const isAll = last === undefined || page.length < FACTS_A_PAGE || last >= upTo
      return {
        facts: page.filter(
          (fact) => fact.seq <= upTo && (companyId === null || fact.companyId === companyId),
        ),
        last: isAll ? null : last,
      }
    },
    position: async ({ at }) => seqAt(log, at),
    async readings({ no, from, to, upTo }) {
      const first = Math.min(Math.max(from, firstKept(no)), to)
      return { packed: await telemetry.packed(no, first, to, upTo), from: first }
    },
  }
  return async <W extends RequestName>(want: W, ask: Requests[W]['ask']): Promise<Requests[W]['answer']> => {
    await breath()
    return give[want](ask)
  }
}
