import type { AnyMachineSnapshot } from 'xstate'
import { type DeviceStatusEvent, deviceStatusMachine } from './device-status.machine.ts'

const MINUTE = 60_000
const start = Date.UTC(2026, 0, 15, 8)

/** One and eleven minutes after the last word, with and without supply; stored late; an old one; and silence. */
function events(snapshot: AnyMachineSnapshot): DeviceStatusEvent[] {
  const last = Math.max(snapshot.context.heardAt, start)
  const reads = (at: number, unplug: boolean | null, recordedAt = at): DeviceStatusEvent => ({
    type: 'reading',
    at,
    recordedAt,
    unplug,
  })
  return [
    reads(last + MINUTE, false),
    reads(last + MINUTE, true),
    reads(last + MINUTE, null),
    reads(last + MINUTE, false, last + 90 * MINUTE),
    reads(last + 11 * MINUTE, false),
    reads(last - MINUTE, true),
    { type: 'time.passed', now: last + 11 * MINUTE },
    { type: 'time.passed', now: last + MINUTE },
    { type: 'patience.changed', patience: 10 * MINUTE },
  ]
}

function describe(event: {
  type: string
  at?: number
  recordedAt?: number
  now?: number
  unplug?: boolean | null
}) {
  const clock = (at: number | undefined) => new Date(at ?? 0).toISOString().slice(11, 16)
  if (event.type === 'time.passed') return `nothing until ${clock(event.now)}`
  if (event.type === 'patience.changed') return 'another patience'
  const stored = event.recordedAt === event.at ? '' : ` stored at ${clock(event.recordedAt)}`
  const supply = event.unplug === null ? '' : event.unplug ? ' without supply' : ' with supply'
  return `a reading of ${clock(event.at)}${stored}${supply}`
}

export const model = {
  name: 'device-status',
  kind: 'domain' as const,
  machine: deviceStatusMachine,
  input: { patience: 10 * MINUTE },
  events,
  describe,
}
