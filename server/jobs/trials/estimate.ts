import { setImmediate as breath } from 'node:timers/promises'
import type { TrialEstimate } from '#machines/contracts/entities/limits-trials.ts'
import type { TelemetryStore } from '../../store/store.ts'
import { BEFORE } from './try-limits.ts'

/** So many readings, of so many ms, under so many candidates beside what was in force. */
type Work = { readings: number; span: number; candidates: number }

/** How fast this node tries limits, as it was when it last did. */
export type Pace = {
  /** how long it takes, s */
  secondsFor(work: Work): number
  note(work: Work & { seconds: number }): void
}

const DAY = 86_400_000
/** Readings a second under one set of limits, until this node has tried some: 2.6 to 3.3 million were measured on a busy machine. */
const FIRST_PACE = 2_500_000
/** What took less, s, says little of the pace. */
const LEAST_SECONDS = 1
/** Some milliseconds of the server's time. */
const DEVICES_A_BREATH = 100

/** Begins with a pace that was measured elsewhere, until this node has tried some limits itself. */
export function createPace(): Pace {
  let pace = FIRST_PACE
  return {
    secondsFor: (work) => evaluated(work) / pace,
    note({ seconds, ...work }) {
      if (seconds >= LEAST_SECONDS && work.readings > 0) pace = evaluated(work) / seconds
    },
  }
}

/** With those of the day before, which are gone through too. */
const evaluated = ({ readings, span, candidates }: Work): number =>
  readings * ((span + BEFORE) / span) * (1 + candidates)

type Requested = {
  /** numbers of the devices */
  devices: readonly number[]
  /** epoch ms */
  from: number
  to: number
  candidates: number
}

/** By what is known of days, without reading what was measured: of a day that is in it in part, that part of its readings. */
export async function estimateOf(
  telemetry: Pick<TelemetryStore, 'daySummaries'>,
  pace: Pace,
  { devices, from, to, candidates }: Requested,
): Promise<TrialEstimate> {
  let counted = 0
  for (let i = 0; i < devices.length; i += DEVICES_A_BREATH) {
    const some = Uint32Array.from(devices.slice(i, i + DEVICES_A_BREATH))
    const days = await telemetry.daySummaries(some, Math.floor(from / DAY), Math.ceil(to / DAY))
    for (const { day, count } of days) counted += count * shareOf(day, from, to)
    await breath()
  }
  const readings = Math.round(counted)
  return { readings, seconds: pace.secondsFor({ readings, span: to - from, candidates }) }
}

/** The last day may not be over: it is taken to have no readings after the end. */
function shareOf(day: number, from: number, to: number): number {
  const [begins, ends] = [day * DAY, Math.min((day + 1) * DAY, to)]
  return (ends - Math.max(begins, from)) / (ends - begins)
}
