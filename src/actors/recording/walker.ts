import { toUnits } from '#machines/contracts/readings.ts'
import type { RecordedStart, Recording } from '#machines/contracts/recording.ts'
import type { FleetCounts } from '../../read-model/counts.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { worstFirst } from '../../read-model/selection.ts'
import { type Severity, severityOf } from '../../read-model/severity.ts'
import { type SeqColumns, type Situation, situationAt } from './situation.ts'

/** A device that something is wrong with. °C and %, undefined where it was not measured. */
export type TroubledDevice = {
  no: number
  name: string
  severity: Severity
  temperature: number | undefined
  humidity: number | undefined
}

/** What is so after a number of steps, for a screen: it stays as it is when one goes on. */
export type Scene = {
  machines: readonly RecordedStart[]
  path: string
  clock: number | null
  /** undefined: no fleet was known */
  fleet: { counts: FleetCounts; seq: number; worst: readonly TroubledDevice[] } | undefined
}

type Place = { start: Recording['start']; seqColumns?: SeqColumns }

/** Devices that are named. */
const WORST = 50
/** Steps between two places from which one can go on, and the most that is kept of them, characters of fleets. */
const APART = 500
const MOST_KEPT = 40_000_000

/**
 * Goes to and fro in a recording. Forward is a matter of the steps between; back begins at the last place that was kept.
 */
export function createWalker({ start, steps }: Recording): (taken: number) => Scene {
  const places = new Map<number, Place>([[0, { start }]])
  let kept = 0
  let here: Situation = situationAt(start)
  let at = 0

  function goTo(taken: number): void {
    if (taken < at || taken - at > APART) {
      const from = Math.max(...[...places.keys()].filter((place) => place <= taken))
      if (taken < at || from > at) {
        const place = places.get(from) as Place
        here = situationAt(place.start, place.seqColumns)
        at = from
      }
    }
    while (at < taken) {
      here.take(steps[at] as Recording['steps'][number])
      at++
      if (at % APART === 0 && !places.has(at) && kept < MOST_KEPT) {
        const place = { start: here.asStart(), seqColumns: here.seqColumns() }
        kept += place.start.fleet?.length ?? 0
        places.set(at, place)
      }
    }
  }

  return (taken) => {
    goTo(taken)
    return sceneOf(here)
  }
}

function sceneOf({ machines, path, clock, fleet }: Situation): Scene {
  return {
    machines: [...machines.values()],
    path,
    clock,
    fleet:
      fleet.seq === undefined ? undefined : { counts: fleet.counts, seq: fleet.seq, worst: worstOf(fleet) },
  }
}

function worstOf(fleet: Fleet): TroubledDevice[] {
  const { columns, names } = fleet
  const worst: TroubledDevice[] = []
  for (const row of worstFirst(fleet, undefined)) {
    const state = columns.state[row] as number
    const severity = severityOf(state)
    if (severity === 'fine' || worst.length === WORST) break
    worst.push({
      no: columns.device[row] as number,
      name: names.of(row, 'name'),
      severity,
      temperature: toUnits('temperature', columns.temperature[row] as number),
      humidity: toUnits('humidity', columns.humidity[row] as number),
    })
  }
  return worst
}
