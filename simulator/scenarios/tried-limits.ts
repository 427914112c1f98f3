import type { Fact } from '#machines/contracts/facts.ts'
import { type Episode, foldPublished, type PublishedOfDevices } from '#machines/projections/episodes.ts'
import { limitsInForce } from '../../server/jobs/reports/contents/limits-in-force.ts'
import { createDataProvider } from '../../server/jobs/reports/data-provider.ts'
import { createSources } from '../../server/jobs/reports/source.ts'
import { episodesUnder } from '../../server/jobs/trials/try-limits.ts'
import type { Core } from '../../server/ports.ts'
import type { Known } from './evidence.ts'

const QUANTITIES = ['temperature', 'humidity'] as const

/**
 * Of what: all devices, their readings from ≤ at < to (epoch ms), and the facts about them. `untold`: of those that nothing was told of so
 * many are tried, from all of the fleet; all where left out.
 */
type Of = {
  devices: readonly Known[]
  facts: readonly Fact[]
  from: number
  to: number
  untold?: number | undefined
}

/** `unlike`: devices on which they differ, and how. */
export type Agreement = { episodes: number; unlike: string[] }

/**
 * Whether what the live evaluation told of devices is what they would have been told under the limits in force, had these been tried
 * on their readings: nothing that came late may be unsettled.
 */
export async function triedInForce(
  { store, readModels }: Pick<Core, 'store' | 'readModels'>,
  { devices: all, facts, from, to, untold = all.length }: Of,
): Promise<Agreement> {
  const live: PublishedOfDevices = new Map()
  for (const fact of facts) foldPublished(live, fact)
  const agreement: Agreement = { episodes: 0, unlike: [] }
  const isPublished = ({ imei }: Known): boolean => (live.get(imei)?.episodes.size ?? 0) > 0
  const every = Math.max(1, Math.floor(all.length / untold))
  const devices = all.filter((device, i) => isPublished(device) || i % every === 0)
  const give = createDataProvider({ store, directory: readModels.directory, clock: { now: () => to } })
  for (const [companyId, ofCompany] of Map.groupBy(devices, ({ companyId }) => companyId)) {
    const { source } = await createSources(give)({
      ...{ reportId: 'all', kind: 'temperature', title: '', companyId, groupId: '', groups: [] },
      ...{ from, to, devices: ofCompany.map(({ no }) => no), types: null, minDistance: null },
      ...{ speed: null, partOfDay: null, requestedBy: '', requestedAt: to, upTo: store.log.head() },
    })
    const inForce = await limitsInForce(source, from, to)
    for (const { no, imei, name } of ofCompany) {
      const readings = await store.telemetry.history(no, from, to)
      const limits = inForce.ofDevice(no)
      const first = readings.length > 0 ? (readings.at[0] as number) : to
      const tried = QUANTITIES.flatMap((quantity) =>
        episodesUnder(quantity, readings, limits, { from }).map((one) =>
          worded(`${one.side} ${quantity}`, one, first, from),
        ),
      )
      const published = [...(live.get(imei)?.episodes.values() ?? [])].map((one) => {
        const [side, quantity] = one.type.toLowerCase().split('_')
        return worded(`${side} ${quantity}`, one, first, from)
      })
      agreement.episodes += published.length
      if (tried.sort().join('; ') !== published.sort().join('; '))
        agreement.unlike.push(
          `${name} was told [${published.join('; ')}], and would be [${tried.join('; ')}]`,
        )
    }
  }
  return agreement
}

/**
 * With its times in minutes. How far it got is not known of one that lasts: live evaluation says it in the end. One that lasted with
 * the first reading began before the record, which was looked up where somebody asked.
 */
function worded(
  what: string,
  { since, openedAt, clearedAt, worst }: Pick<Episode, 'since' | 'openedAt' | 'clearedAt' | 'worst'>,
  first: number,
  from: number,
): string {
  const minute = (at: number) => Math.round((at - from) / 600) / 100
  const end = clearedAt === null ? 'lasts' : `over at ${minute(clearedAt)}`
  if (since <= first) return `${what} since before, ${end}`
  const most = clearedAt === null ? '' : `, up to ${worst}`
  return `${what} since ${minute(since)}, told at ${minute(openedAt)}, ${end}${most}`
}
