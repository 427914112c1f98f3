import type { FactData } from '#machines/contracts/facts.ts'
import { DAY_MS } from '#machines/projections/scheduled-mail.ts'
import type { Advance, ReadModels } from '../../../read-models/read-models.ts'

type Because = FactData<'schedule-mail.withheld'>['because']

/** Letters of schedules that were not sent, for who watches the server. */
export type Withheld = {
  /** since the start, by why */
  stats(): Record<Because, number>
  stop(): void
}

type Followed = { onAdvance(listener: (advance: Pick<Advance, 'facts'>) => void): () => void }

/** Counts them, and warns once a company and day that one is over what it gets a day. */
export function watchWithheld(
  readModels: Pick<ReadModels, 'directory'> & Followed,
  warn: (message: string) => void,
): Withheld {
  const counts: Record<Because, number> = { confirm: 0, unsubscribed: 0, budget: 0 }
  /** the day that was last warned of, by company */
  const warned = new Map<string, number>()
  const stop = readModels.onAdvance(({ facts }) => {
    for (const { type, data, at, companyId } of facts) {
      if (type !== 'schedule-mail.withheld') continue
      counts[data.because]++
      const day = Math.floor(at / DAY_MS)
      if (data.because !== 'budget' || companyId === null || warned.get(companyId) === day) continue
      warned.set(companyId, day)
      const name = readModels.directory.companies.get(companyId)?.name ?? companyId
      warn(
        `${name}: no more letters of its schedules today to some addresses, they are over the day's budget`,
      )
    }
  })
  return { stats: () => ({ ...counts }), stop }
}
