import { SENSOR_UNPLUGGED, STATUS_MASK, VIOLATIONS, violationBit } from '#machines/contracts/device-state.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { FIRST_VIOLATION, SEVERITY_OF } from './severity.ts'

/** How many devices there are, and how many of them are in which state. `trouble`: with at least one open violation. */
export type FleetCounts = {
  total: number
  online: number
  offline: number
  disconnected: number
  trouble: number
  sensorUnplugged: number
  violations: Record<ViolationType, number>
}

/** Devices by state byte: all other counts follow from these 256. */
export type StateHistogram = Int32Array

/** A count for each of the 256 states. */
export const emptyHistogram = (): StateHistogram => new Int32Array(256)

/** @param mask 1 where a row counts; all of them where left out */
export function histogramOf(state: Uint8Array, size: number, mask?: Uint8Array): StateHistogram {
  const histogram = emptyHistogram()
  for (let row = 0; row < size; row++) {
    if (mask !== undefined && mask[row] === 0) continue
    const s = state[row] as number
    histogram[s] = (histogram[s] as number) + 1
  }
  return histogram
}

export function countsOf(histogram: StateHistogram): FleetCounts {
  const counts: FleetCounts = {
    total: 0,
    online: 0,
    offline: 0,
    disconnected: 0,
    trouble: 0,
    sensorUnplugged: 0,
    violations: {
      HIGH_TEMPERATURE_DETECTED: 0,
      LOW_TEMPERATURE_DETECTED: 0,
      HIGH_HUMIDITY_DETECTED: 0,
      LOW_HUMIDITY_DETECTED: 0,
    },
  }
  histogram.forEach((n, state) => {
    if (n === 0) return
    counts.total += n
    const status = state & STATUS_MASK
    if (status === 0) counts.online += n
    else if (status === 1) counts.offline += n
    else counts.disconnected += n
    if ((SEVERITY_OF[state] as number) >= FIRST_VIOLATION) counts.trouble += n
    if ((state & SENSOR_UNPLUGGED) !== 0) counts.sensorUnplugged += n
    for (const type of VIOLATIONS) if ((state & violationBit(type)) !== 0) counts.violations[type] += n
  })
  return counts
}
