import { setImmediate as breath } from 'node:timers/promises'
import type { Clock } from '#machines/contracts/clock.ts'
import type { Company, Directory } from '#machines/projections/directory.ts'
import { keptFrom } from '#machines/rules/retention.ts'
import type { AsideStore } from '../../store/aside.ts'
import { StoreUnavailable, type TelemetryStore } from '../../store/store.ts'

const DAY = 86_400_000
/** The server's clock and the companies are looked at so often, real time. */
const LOOK_EVERY_MS = 60_000
/** Devices whose readings of a day are dropped at once: some milliseconds of work. */
const DEVICES_AT_ONCE = 64

export type Retention = {
  /** Goes through all companies once; resolves when what is out of retention by now is dropped. */
  look(): Promise<void>
  stop(): Promise<void>
}

type Options = {
  directory: Directory
  telemetry: Pick<TelemetryStore, 'storedDays' | 'dropReadings'>
  aside: Pick<AsideStore, 'dropMeasured'>
  clock: Clock
  /** for operators */
  warn(message: string): void
}

type Looking = Options & {
  /** company → day and retention it was last gone through for */
  done: Map<string, string>
  isStopped: boolean
}

/**
 * Drops readings of companies that keep theirs for less long than the store: by UTC days, once a day and when a company's
 * retention is set. It goes by when readings were measured, so that what comes years late goes the day after.
 */
export function startRetention(options: Options): Retention {
  const looking: Looking = { ...options, done: new Map(), isStopped: false }
  let turn: Promise<void> = Promise.resolve()
  const look = (): Promise<void> => {
    turn = turn.then(() => lookOnce(looking))
    return turn
  }
  const timer = setInterval(look, LOOK_EVERY_MS).unref()
  return {
    look,
    stop() {
      looking.isStopped = true
      clearInterval(timer)
      return turn
    },
  }
}

async function lookOnce(looking: Looking): Promise<void> {
  const today = Math.floor(looking.clock.now() / DAY)
  for (const company of looking.directory.companies.values()) {
    const { companyId, name, retentionDays } = company
    const wanted = `${today} ${retentionDays}`
    if (retentionDays === null || looking.done.get(companyId) === wanted) continue
    try {
      await dropOld(looking, company, keptFrom(retentionDays, looking.clock.now()))
      if (looking.isStopped) return
      looking.done.set(companyId, wanted)
    } catch (error) {
      // tried again at the next look; readings of others may be where nothing is wrong
      if (!(error instanceof StoreUnavailable))
        looking.warn(`retention: readings of ${name} could not be dropped: ${String(error)}`)
    }
  }
}

/** Drops what the devices of a company, retired ones too, measured before `first`, what is kept aside too. */
async function dropOld(looking: Looking, { companyId }: Company, first: number): Promise<void> {
  const { directory, telemetry, aside } = looking
  const devices = directory.devices.flatMap((device) => (device?.companyId === companyId ? [device.no] : []))
  for (let i = 0; i < devices.length; i += DEVICES_AT_ONCE) {
    if (looking.isStopped) return
    await aside.dropMeasured(devices.slice(i, i + DEVICES_AT_ONCE), first)
    await breath()
  }
  for (const day of await telemetry.storedDays()) {
    if (day * DAY >= first) return
    for (let i = 0; i < devices.length; i += DEVICES_AT_ONCE) {
      if (looking.isStopped) return
      await telemetry.dropReadings(devices.slice(i, i + DEVICES_AT_ONCE), day)
      await breath()
    }
  }
}
