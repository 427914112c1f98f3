import type { Clock } from '#machines/contracts/clock.ts'
import type { ReadModels } from './read-models.ts'

/** What a company has and sends. `lastWordAt`: when its newest reading was, epoch ms; 0: none ever. */
export type CompanyFigures = { devices: number; users: number; readingsAMinute: number; lastWordAt: number }

const MINUTE = 60_000
/** The rate is that of so many minutes. */
const OVER_MINUTES = 5
/** So long an answer is given again, ms on a clock that never jumps: going through 100,000 devices takes a millisecond. */
const KEPT_MS = 5_000

/**
 * Figures of all companies. Readings are counted as they are stored, on whichever node, a minute of the server's clock each;
 * what was stored before this node started is not.
 */
export function createCompanyFigures(
  { directory, latest, onAdvance }: Pick<ReadModels, 'directory' | 'latest' | 'onAdvance'>,
  clock: Clock,
  uptime: () => number = () => performance.now(),
): { all(): ReadonlyMap<string, CompanyFigures>; stop(): void } {
  const since = clock.now()
  /** minute → company → readings */
  const minutes = new Map<number, Map<string, number>>()
  let kept: { at: number; figures: Map<string, CompanyFigures> } | undefined

  const stop = onAdvance(({ batches }) => {
    if (batches.length === 0) return
    const minute = Math.floor(clock.now() / MINUTE)
    const counts = minutes.get(minute) ?? new Map<string, number>()
    minutes.set(minute, counts)
    for (const { readings } of batches)
      for (let i = 0; i < readings.length; i++) {
        const companyId = directory.devices[readings.device[i] as number]?.companyId
        if (companyId !== undefined) counts.set(companyId, (counts.get(companyId) ?? 0) + 1)
      }
    for (const old of minutes.keys()) if (Math.abs(old - minute) > OVER_MINUTES) minutes.delete(old)
  })

  function reckon(): Map<string, CompanyFigures> {
    const figures = new Map<string, CompanyFigures>()
    for (const companyId of directory.companies.keys())
      figures.set(companyId, { devices: 0, users: 0, readingsAMinute: 0, lastWordAt: 0 })
    for (const device of directory.devices) {
      const one = device && figures.get(device.companyId)
      if (one === undefined || device === undefined) continue
      if (device.retired === null) one.devices++
      const at = device.no < latest.size ? (latest.readings.at[device.no] as number) : 0
      one.lastWordAt = Math.max(one.lastWordAt, at)
    }
    for (const { companyId, superAdmin } of directory.users.values()) {
      const one = figures.get(companyId)
      if (one && !superAdmin) one.users++
    }
    const now = clock.now()
    const from = Math.floor(now / MINUTE) - OVER_MINUTES + 1
    const span = Math.min(now - from * MINUTE, Math.max(now - since, MINUTE)) / MINUTE
    for (const [minute, counts] of minutes)
      if (minute >= from)
        for (const [companyId, count] of counts) {
          const one = figures.get(companyId)
          if (one) one.readingsAMinute += count / span
        }
    return figures
  }

  return {
    all() {
      const at = uptime()
      if (kept === undefined || at - kept.at >= KEPT_MS || kept.figures.size !== directory.companies.size)
        kept = { at, figures: reckon() }
      return kept.figures
    },
    stop,
  }
}
