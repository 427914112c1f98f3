import { setTimeout as pause } from 'node:timers/promises'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { callerOf } from '../../server/testing/caller.ts'

/** Trackers of the demo, which report over HTTP here: each writer of readings has one for itself. */
export const TRACKERS = [
  '352093024171000',
  '352093024172370',
  '352093024173741',
  '352093024175118',
  '352093024176488',
] as const
export const DEVICE_KEY = 'indus-device-key'
const OPERATOR = 'operator@indus.example'
/** where new groups are put; it has nothing below it at first */
export const ABOVE = 'indus-telematics'
const READINGS_A_BATCH = 12
/** sooner than a caller is told to come again, so that it is seen when the server takes things again */
const PATIENCE_MS = 100
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** What writers sent, and what of it they were told is safe. */
export type Ledger = {
  /** by IMEI: instants of acknowledged readings, epoch ms */
  readonly readings: ReadonlyMap<string, Set<number>>
  /** by IMEI: instants of acknowledged readings of which another was sent with other values, epoch ms */
  readonly others: ReadonlyMap<string, Set<number>>
  /** names given to groups and devices, each tried once, in all and acknowledged */
  readonly tried: Set<string>
  readonly named: Set<string>
  /** groups of which nobody knows whether they were made: asked for again under the same Idempotency-Key */
  readonly unsure: string[]
  /** acknowledgements */
  count: number
  /** what an answer should not have been, e.g. a 500 */
  readonly wrong: string[]
}

/** Where readings of writers begin: some days ago, so that none is ever ahead. */
export const baseOf = (now: number): number => Math.floor((now - 20 * DAY) / DAY) * DAY

export const emptyLedger = (): Ledger => ({
  readings: new Map(TRACKERS.map((imei) => [imei, new Set()])),
  others: new Map(TRACKERS.map((imei) => [imei, new Set()])),
  tried: new Set(),
  named: new Set(),
  unsure: [],
  count: 0,
  wrong: [],
})

/** An operator's access token; sign in once, it outlives restarts. */
export const signIn = (address: string): Promise<string> => callerOf(address).signIn(OPERATOR)

type Writing = {
  address: string
  token: string
  ledger: Ledger
  /** first instant of the readings, the same for all runs on one record */
  base: number
  /** after each acknowledgement; true ends the writing */
  isEnough(): boolean
  /** goes on after a 503, as a caller who was told when to come again does */
  isPatient?: boolean
  onRefused?(status: number, headers: Headers): void
  /** the line was cut before an answer came */
  onCut?(request: string, waitedMs: number): void
}

/**
 * Eight writers at once, as fast as they are answered: five send readings, three make groups and rename devices. Resolves
 * when it is enough or the server is gone. What was not acknowledged is sent again by the next run: readings and new groups the
 * same, which must not be kept or made twice; new names of devices as others. The first reading of a batch comes twice, with other
 * values: one counts, the other is kept aside.
 */
export async function writeWithEight(writing: Writing): Promise<void> {
  const { address, token, ledger, base } = writing
  const { send } = callerOf(address)
  let isOver = false

  async function until(write: () => Promise<() => void>): Promise<void> {
    while (!isOver) {
      const note = await write()
      note()
      ledger.count++
      isOver ||= writing.isEnough()
    }
  }
  /** @throws Error where the server is gone; answers what to note otherwise */
  async function answerTo(method: string, path: string, body: object, headers: Record<string, string>) {
    for (;;) {
      const left = performance.now()
      const answer = await send(method, `${API_PREFIX}${path}`, { body, headers }).catch((error: unknown) => {
        writing.onCut?.(`${method} ${path}`, performance.now() - left)
        throw error
      })
      if (answer.status < 300) return answer
      if (answer.status !== 503)
        ledger.wrong.push(`${method} ${path} was answered ${answer.status} ${answer.text}`)
      writing.onRefused?.(answer.status, answer.headers)
      if (writing.isPatient !== true || isOver || writing.isEnough()) throw new Error('refused')
      await pause(PATIENCE_MS)
    }
  }

  const readings = TRACKERS.map((imei) => {
    const kept = ledger.readings.get(imei) as Set<number>
    const others = ledger.others.get(imei) as Set<number>
    return async () => {
      const first = kept.size
      const times = Array.from({ length: READINGS_A_BATCH }, (_, i) => base + (first + i) * MINUTE)
      const [other = base] = times
      const body = {
        readings: [
          ...times.map((at) => ({ imei, at, temperature: temperatureAt(at), lat: 31.5, lng: 74.3 })),
          { imei, at: other, temperature: temperatureAt(other) + 1 },
        ],
      }
      await answerTo('POST', '/ingest', body, { 'x-device-key': DEVICE_KEY })
      return () => {
        for (const at of times) kept.add(at)
        others.add(other)
      }
    }
  })
  const authorization = { authorization: `Bearer ${token}` }
  const nameOf = (what: string): string => {
    const name = `${what} ${ledger.tried.size + 1}`
    ledger.tried.add(name)
    return name
  }
  const group = async () => {
    const name = ledger.unsure.shift() ?? nameOf('Group')
    const headers = { ...authorization, 'idempotency-key': `make-${name.replace(' ', '-')}` }
    await answerTo('POST', '/groups', { ...GROUP, name }, headers).catch((error: unknown) => {
      ledger.unsure.push(name)
      throw error
    })
    return () => void ledger.named.add(name)
  }
  const device = (imei: string) => async () => {
    const name = nameOf('Truck')
    await answerTo('PUT', `/things/${imei}`, { name, groupId: ABOVE }, authorization)
    return () => void ledger.named.add(name)
  }
  const commands = [group, group, device(TRACKERS[0])]
  // one that finds the server gone ends for itself; the others find out by themselves
  await Promise.all([...readings, ...commands].map((write) => until(write).catch(() => {})))
}

/** The eight write on, whoever refuses them, until they are stopped. */
export function keepWriting(writing: Omit<Writing, 'isEnough' | 'isPatient'>): { stop(): Promise<void> } {
  let isOver = false
  const written = writeWithEight({ ...writing, isEnough: () => isOver, isPatient: true })
  return {
    stop() {
      isOver = true
      return written
    },
  }
}

/** Of a new group that has no devices yet. */
export const LIMITS = {
  companyId: 'indus',
  lowTemperatureThreshold: -26,
  highTemperatureThreshold: 17,
  lowHumidityThreshold: 30,
  highHumidityThreshold: 98,
  things: [],
}
const GROUP = { ...LIMITS, description: '', parentId: ABOVE }

/** An hour too warm, an hour as it should be: there is something to judge. */
const temperatureAt = (at: number): number => (Math.floor(at / (60 * MINUTE)) % 2 === 0 ? 25 : 4)
