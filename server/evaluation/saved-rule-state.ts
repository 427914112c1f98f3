import { deserialize, serialize } from 'node:v8'
import type { DeviceStatusColumns } from '#machines/device-status/fold.ts'
import type { SensorColumns } from '#machines/sensor/fold.ts'
import { PLACE, type ViolationColumns } from '#machines/violation/fold.ts'
import { emptyRuleState, type RuleState } from './rule-state.ts'

/** Raised when the shape of what is saved changes: an older checkpoint is passed over and the log evaluated anew. */
const SHAPE = 2

/** What is kept of a device only while it is outside its limits, or about to be. */
const OUTSIDE = ['value', 'limit', 'since', 'worst'] as const

type SavedViolations = Pick<ViolationColumns, 'place' | 'lastAt' | 'readings'> & {
  rows: Uint32Array
  outside: Record<(typeof OUTSIDE)[number], Float64Array>
}
/** not saved by earlier releases */
type Newer = 'ahead' | 'late' | 'receivedAt' | 'names' | 'takenForSilent'
type Saved = Omit<RuleState, 'temperature' | 'humidity' | Newer> & {
  [Name in Newer]?: RuleState[Name]
} & {
  temperature: SavedViolations
  humidity: SavedViolations
}

/**
 * RuleState as bytes, in as few as will do: nearly all devices are inside their limits, and of those one time is all there is
 * to know. With 100,000 devices 8 MB instead of 17: a checkpoint is written while readings wait.
 * @param devices how many there are; there may be room for more
 */
export function saveRuleState(ruleState: RuleState, devices: number): Uint8Array {
  const saved: Saved = {
    ...ruleState,
    devices,
    status: cut<DeviceStatusColumns>(ruleState.status, devices),
    thermometer: cut<SensorColumns>(ruleState.thermometer, devices),
    hygrometer: cut<SensorColumns>(ruleState.hygrometer, devices),
    temperature: savedViolations(ruleState.temperature, devices),
    humidity: savedViolations(ruleState.humidity, devices),
  }
  return serialize({ shape: SHAPE, saved })
}

/** undefined for bytes of another release. */
export function restoreRuleState(bytes: Uint8Array): RuleState | undefined {
  const { shape, saved } = deserialize(bytes) as { shape: number; saved: Saved }
  if (shape !== SHAPE) return undefined
  const ruleState = emptyRuleState(saved.devices)
  const { now, lookedAt, status, thermometer, hygrometer } = saved
  const { ahead = new Map(), late = new Map(), receivedAt = 0 } = saved
  const { names = new Map(), takenForSilent = new Set() } = saved
  Object.assign(ruleState, { now, lookedAt, status })
  // earlier releases saved fewer of their columns
  Object.assign(ruleState.thermometer, thermometer)
  Object.assign(ruleState.hygrometer, hygrometer)
  Object.assign(ruleState, { ahead, late, receivedAt, names, takenForSilent })
  for (const quantity of ['temperature', 'humidity'] as const) {
    const { rows, outside, ...columns } = saved[quantity]
    Object.assign(ruleState[quantity], columns)
    for (const name of OUTSIDE)
      for (const [i, row] of rows.entries()) ruleState[quantity][name][row] = outside[name][i] as number
  }
  return ruleState
}

function savedViolations(columns: ViolationColumns, devices: number): SavedViolations {
  const rows: number[] = []
  for (let row = 0; row < devices; row++) if (columns.place[row] !== PLACE.inside) rows.push(row)
  const picked = (name: (typeof OUTSIDE)[number]) =>
    Float64Array.from(rows, (row) => columns[name][row] as number)
  return {
    place: columns.place.slice(0, devices),
    lastAt: columns.lastAt.slice(0, devices),
    readings: columns.readings,
    rows: Uint32Array.from(rows),
    outside: {
      value: picked('value'),
      limit: picked('limit'),
      since: picked('since'),
      worst: picked('worst'),
    },
  }
}

/** The rows in use: a view would be saved with all the room behind it. */
function cut<C extends Record<keyof C, Uint8Array | Float64Array>>(columns: C, devices: number): C {
  const parts = Object.entries<Uint8Array | Float64Array>(columns)
  return Object.fromEntries(parts.map(([name, column]) => [name, column.slice(0, devices)])) as C
}
