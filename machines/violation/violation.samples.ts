import type { AnyMachineSnapshot } from 'xstate'
import type { Limits } from '../rules/limits.ts'
import { type ViolationEvent, violationMachine } from './violation.machine.ts'

const MINUTE = 60_000
/** 2 to 8 °C, two minutes of patience, half a degree to come back, ten minutes of silence make it a new spell. */
export const limits: Limits = { low: 2, high: 8, delay: 2 * MINUTE, margin: 0.5, gap: 10 * MINUTE }
const start = Date.UTC(2026, 0, 15, 8)

const reading = (at: number, value: number): ViolationEvent => ({
  type: 'reading',
  at,
  value,
  lat: 31.52,
  lng: 74.35,
})

/** Values that lie in each zone, one and three minutes after the last one, late, after a silence; and the rest. */
function events(snapshot: AnyMachineSnapshot): ViolationEvent[] {
  const last = Math.max(snapshot.context.lastAt, start)
  return [
    ...[5, 7.8, 9, 2.2, 1].map((value) => reading(last + MINUTE, value)),
    ...[9, 1].map((value) => reading(last + 3 * MINUTE, value)),
    ...[9, 1].map((value) => reading(last + 11 * MINUTE, value)),
    reading(last - MINUTE, 9),
    reading(last + MINUTE, Number.NaN),
    { type: 'limits.changed', limits: { ...limits, high: snapshot.context.limits.high === 8 ? 12 : 8 } },
    { type: 'sensor.unplugged', at: last + MINUTE },
    { type: 'sensor.unplugged', at: last - MINUTE },
  ]
}

function serializeState({ value, context }: AnyMachineSnapshot): string {
  const spell = Math.min(context.lastAt - context.since, 3 * MINUTE)
  return JSON.stringify([value, context.lastAt > 0, context.limits.high, value === 'inside' ? 0 : spell])
}

function describe(event: { type: string; at?: number; value?: number; limits?: Limits }): string {
  const at = event.at === undefined ? '' : ` at ${new Date(event.at).toISOString().slice(11, 16)}`
  if (event.type === 'reading')
    return `${Number.isNaN(event.value) ? 'a reading without value' : `${event.value} °C`}${at}`
  if (event.type === 'limits.changed') return `limits ${event.limits?.low} to ${event.limits?.high} °C`
  return `the sensor unplugged${at}`
}

export const model = {
  name: 'violation',
  kind: 'domain' as const,
  machine: violationMachine,
  input: { quantity: 'temperature', limits },
  events,
  serializeState,
  describe,
}
