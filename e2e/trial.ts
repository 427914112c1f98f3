import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { urlOf } from '#machines/contracts/calls/call.ts'
import { INGEST_CALLS, IngestAnswer, type IngestReading } from '#machines/contracts/calls/ingest-calls.ts'
import { VIOLATION_CALLS } from '#machines/contracts/calls/violation-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { type App, expect } from './app.ts'

/** The group whose trackers the simulated world does not play. */
export const TRIAL_GROUP = 'indus-telematics'
const IMEIS = scenario.trackers.map(({ imei }) => imei)
const KEY = scenario.companies.find(({ id }) => id === 'indus')?.deviceKey ?? ''

/** In `/metrics`: evaluation, or what the server answers, is behind what is stored. */
const BEHIND = /^(judge|read_models)_lag [1-9]/m

type Server = Pick<App, 'url' | 'api' | 'sim'>

/** All such trackers as they are now. */
export async function trials({ api }: Server): Promise<Thing[]> {
  return (await api.fleet()).filter(({ imei }) => IMEIS.includes(imei))
}

/** A tracker on somebody's desk: what it measures is sent as the gateway of its maker would. */
export type Trial = Pick<Thing, 'imei' | 'name'> & {
  /** at what time of the device's, epoch ms, and when it comes to the server; the world's clock is moved on to that */
  sends(measured: Omit<IngestReading, 'imei' | 'at'>, at: number, storedAt?: number): Promise<void>
  /** what it kept while it was off the air, in one piece and in the order given; `at`: epoch ms. All of it is taken in */
  delivers(kept: readonly (Omit<IngestReading, 'imei' | 'at'> & { at: number })[]): Promise<void>
  /** nobody says anything until then */
  until(now: number): Promise<void>
}

export function trialOf({ url, sim }: Server, { imei, name }: Pick<Thing, 'imei' | 'name'>): Trial {
  const until = async (wanted: number) => {
    const { now } = await sim.status()
    if (wanted > now) await sim.advance(Math.ceil((wanted - now) / 1000))
  }
  const taken = new Set<number>()
  /** the same time again would be the same reading again: one that comes late is a second older than the last that did */
  const instantOf = (at: number): number => {
    let when = at
    while (taken.has(when)) when -= 1000
    taken.add(when)
    return when
  }
  return {
    imei,
    name,
    until,
    async sends(measured, at, storedAt = at) {
      await until(storedAt)
      const { accepted, refused } = await ingest(url, [{ imei, at: instantOf(at), ...measured }])
      if (accepted !== 1)
        throw new Error(`${name} was not heard: ${refused[0]?.reason ?? 'it said that before'}`)
    },
    async delivers(kept) {
      const { accepted, refused } = await ingest(
        url,
        kept.map((reading) => ({ imei, ...reading })),
      )
      if (accepted !== kept.length)
        throw new Error(
          `${accepted} of ${kept.length} were taken: ${refused[0]?.reason ?? 'the rest was known'}`,
        )
    },
  }
}

/** Sends as the gateway of the trackers' maker does. */
async function ingest(url: string, readings: readonly IngestReading[]): Promise<IngestAnswer> {
  const { method } = INGEST_CALLS.ingest
  const address = `${url}${urlOf(INGEST_CALLS.ingest)}`
  const headers = { 'content-type': 'application/json', 'x-device-key': KEY }
  const answer = await fetch(address, { method, headers, body: JSON.stringify({ readings }) })
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
  return decode(await answer.json(), IngestAnswer, address)
}

/** What was before the record is evaluated: no violation of then is still to come. */
export function isPastEvaluated({ api, sim }: Pick<Server, 'api' | 'sim'>): Promise<void> {
  const pending = async () => {
    const { now } = await sim.status()
    const body = { startDate: now - 86_400_000, endDate: now }
    return (await api.ask(VIOLATION_CALLS.summaryChart, { params: { groupId: api.groupId }, body })).pending
  }
  return expect.poll(pending, 'the past is evaluated').toBeUndefined()
}

/** All readings are evaluated, and the server answers with what that means: what is not there now does not come. */
export function isEvaluated({ url }: Pick<Server, 'url'>): Promise<void> {
  return expect
    .poll(async () => (await (await fetch(`${url}/metrics`)).text()).match(BEHIND), 'it is evaluated')
    .toBeNull()
}
