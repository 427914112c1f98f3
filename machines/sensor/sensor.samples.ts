import type { AnyMachineSnapshot } from 'xstate'
import { type SensorEvent, sensorMachine } from './sensor.machine.ts'

const MINUTE = 60_000
const gap = 10 * MINUTE
const start = Date.UTC(2026, 0, 15, 8)

function events(snapshot: AnyMachineSnapshot): SensorEvent[] {
  const last = Math.max(snapshot.context.lastAt, start)
  return [
    { type: 'reading', at: last + MINUTE, measured: true, gap },
    { type: 'reading', at: last + MINUTE, measured: false, gap },
    { type: 'reading', at: last - MINUTE, measured: true, gap },
  ]
}

export const model = {
  name: 'sensor',
  kind: 'domain' as const,
  machine: sensorMachine,
  events,
  serializeState: ({ value, context }: AnyMachineSnapshot) =>
    JSON.stringify([value, context.missed, context.lastAt > 0, context.apart < 90_000]),
  describe: (event: { type: string; at?: number; measured?: boolean }) =>
    `a reading of ${new Date(event.at ?? 0).toISOString().slice(11, 16)} ${event.measured ? 'with' : 'without'} a value`,
}
