import type { AnyMachineSnapshot } from 'xstate'
import { type LoadEvent, loadMachine } from './load.machine.ts'

const at = Date.UTC(2026, 5, 15, 8)
export const used = { rule: 1, used: 1441, allowed: 1440 }

function events(): LoadEvent[] {
  return [
    { type: 'measured', at, state: 'within' },
    { type: 'measured', at, state: 'at-risk' },
    { type: 'exhaust', at, data: used },
    { type: 'revise', at, after: { exhaustedAt: at - 1, ...used }, isAtRisk: false },
    { type: 'revise', at, after: null, isAtRisk: false },
    { type: 'revise', at, after: null, isAtRisk: true },
    { type: 'begin review', at, userName: 'Ayesha Khan' },
    { type: 'release', at, userName: 'Ayesha Khan', reason: 'Stability data allow it' },
    { type: 'reject', at, userName: 'Ayesha Khan', reason: 'Too warm for too long' },
    { type: 'close', at, userName: 'Danish Raza' },
  ]
}

function describe(event: {
  type: string
  state?: string
  after?: object | null
  isAtRisk?: boolean
}): string {
  if (event.type === 'measured')
    return event.state === 'within' ? 'readings: within its budget' : 'readings: at risk'
  if (event.type === 'revise') {
    if (event.after) return 'late readings: exhausted at another time'
    return `late readings: never exhausted${event.isAtRisk ? ', but at risk' : ''}`
  }
  return (
    {
      exhaust: 'readings: its budget is exhausted',
      'begin review': 'Begin review',
      release: 'Release, with a reason',
      reject: 'Reject, with a reason',
      close: 'Close',
    }[event.type] ?? event.type
  )
}

export const model = {
  name: 'load',
  kind: 'domain' as const,
  machine: loadMachine,
  events,
  serializeState: ({ value, context }: AnyMachineSnapshot) =>
    JSON.stringify([value, context.exhaustedAt, context.closedAt, context.decision !== null]),
  describe,
}
