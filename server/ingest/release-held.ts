import type { Clock } from '#machines/contracts/clock.ts'
import { createReadings, pushReading, type Reading, readingAt } from '#machines/contracts/readings.ts'
import { RETENTION_DAYS } from '#machines/rules/retention.ts'
import type { AsideReading } from '../store/aside.ts'
import { type Store, StoreUnavailable, unlessUnavailable } from '../store/store.ts'
import { type Ingest, QueueFull } from './pipeline.ts'
import type { Source } from './quarantine.ts'

export type ReleaseOptions = {
  store: Pick<Store, 'aside' | 'telemetry'>
  ingest: Pick<Ingest, 'release'>
  /** no later than all that was sent is stored */
  clock: Clock
  /** how long a device may be silent, ms; undefined for one that is not known */
  patience: (no: number) => number | undefined
  /** how long readings are kept, days (92) */
  retentionDays?: number | undefined
  /** real ms between two looks (1,000) */
  everyMs?: number
  /** real ms after which what could not be decided on is tried again (60,000) */
  retryMs?: number
  /** for operators */
  warn?: (message: string) => void
}

export type Releasing = {
  /** decides on all whose time has come */
  look(): Promise<void>
  stop(): Promise<void>
}

const AT_ONCE = 500
const DAY = 86_400_000
const HOUR = 3_600_000
const SOURCE: Source = 'api'

/**
 * Decides on readings that came ahead of their time, when it has come: one is released where no reading that was received on
 * time and says the same lies within the device's patience of it, else it is contradicted, and stays aside. Cut off anywhere, it decides again.
 */
export function startReleasing(options: ReleaseOptions): Releasing {
  const { everyMs = 1_000, retryMs = 60_000, retentionDays = RETENTION_DAYS, warn = () => {} } = options
  const stopping = new AbortController()
  const failed: Failed = new Map()
  let looking: Promise<void> | undefined
  const look = (): Promise<void> => {
    looking ??= decideDue(options, failed, stopping.signal).finally(() => {
      looking = undefined
    })
    return looking
  }
  const timer = setInterval(() => void look(), everyMs).unref()
  const forget = (): void => {
    // where the store cannot write now, the next hour will do
    options.store.aside
      .drop(options.clock.now() - retentionDays * DAY)
      .catch(
        unlessUnavailable((error) =>
          warn(`readings kept aside are not dropped yet, retrying each hour: ${String(error)}`),
        ),
      )
  }
  const retrying = setInterval(() => {
    for (const name of failed.keys()) failed.set(name, false)
  }, retryMs).unref()
  const forgetting = setInterval(forget, HOUR).unref()
  return {
    look,
    async stop() {
      clearInterval(timer)
      clearInterval(retrying)
      clearInterval(forgetting)
      stopping.abort()
      await looking
    },
  }
}

/** Readings, by device and time, that could not be decided on; true: they stay aside until they are tried again. */
type Failed = Map<string, boolean>

const nameOf = ({ device, at }: Reading): string => `${device} ${at}`

async function decideDue(options: ReleaseOptions, failed: Failed, signal: AbortSignal): Promise<void> {
  const { warn = () => {} } = options
  try {
    const dueNow = () => dueOf(options, failed)
    for (let due = await dueNow(); due.length > 0 && !signal.aborted; due = await dueNow())
      for (const { reading } of due) {
        if (signal.aborted) return
        const name = nameOf(reading)
        await decide(options, reading).then(
          () => failed.delete(name),
          (error: unknown) => {
            if (isBusy(error)) throw error
            if (!failed.has(name))
              warn(
                `a reading of device ${reading.device} that came ahead of its time, ${reading.at}, stays aside, retrying each minute: ${String(error)}`,
              )
            failed.set(name, true)
          },
        )
      }
  } catch (error) {
    // what is not decided is looked at again
    if (!isBusy(error))
      warn(`readings that came ahead of their time are not decided on yet, retrying: ${String(error)}`)
  }
}

const isBusy = (error: unknown): boolean => error instanceof StoreUnavailable || error instanceof QueueFull

/** Some that are due, but for those that failed. */
async function dueOf({ store, clock }: ReleaseOptions, failed: Failed): Promise<AsideReading[]> {
  const due = await store.aside.due(clock.now(), AT_ONCE + failed.size)
  return due.filter(({ reading }) => failed.get(nameOf(reading)) !== true)
}

async function decide(options: ReleaseOptions, reading: Reading): Promise<void> {
  const { store, ingest } = options
  if (await isContradicted(options, reading)) {
    await store.aside.settle(reading, 'contradicted')
    return
  }
  const columns = createReadings(1)
  pushReading(columns, reading)
  await ingest.release(columns, SOURCE)
  await store.aside.settle(reading, 'released')
}

/** What a device cannot say twice of one time. */
const MEASURED = ['lat', 'temperature', 'temperature2', 'humidity'] as const

/**
 * Whether a reading received on time lies near that says where the device was or what it measured too, or any where this one says
 * neither: not itself, nor one that was released. Heartbeats have the time they come in, whatever the tracker's clock says.
 */
async function isContradicted({ store, patience }: ReleaseOptions, reading: Reading): Promise<boolean> {
  const { device, at } = reading
  const near = patience(device)
  if (near === undefined) return true
  const [from, to] = [at - near, at + near + 1]
  const [stored, aside] = await Promise.all([
    store.telemetry.history(device, from, to),
    store.aside.of(device, from, to),
  ])
  const isSilent = MEASURED.every((name) => reading[name] === undefined)
  const released = new Set(aside.flatMap(({ kind, reading }) => (kind === 'released' ? [reading.at] : [])))
  for (let row = 0; row < stored.length; row++) {
    const other = readingAt(stored, row)
    const isMeant = stored.lateBy[row] === 0 && other.at !== at && !released.has(other.at)
    const saysToo = MEASURED.some((name) => reading[name] !== undefined && other[name] !== undefined)
    if (isMeant && (isSilent || saysToo)) return true
  }
  return false
}
