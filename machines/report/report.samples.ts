import type { AnyMachineSnapshot } from 'xstate'
import type { MadeFile } from '../contracts/entities/reports.ts'
import { type ReportEvent, reportMachine } from './report.machine.ts'

const at = Date.UTC(2026, 0, 15, 8)

export const file: MadeFile = {
  fileName: 'Distance Report 2026-01-15.xlsx',
  contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  bytes: 4096,
  sha256: 'ab'.repeat(32),
}

function events(): ReportEvent[] {
  return [
    { type: 'start', at },
    { type: 'progress', at, done: 0.5 },
    { type: 'complete', at, files: [file] },
    { type: 'fail', at, reason: 'The worker ended' },
    { type: 'retry', at, upTo: 7 },
    { type: 'cancel', at, cancelledBy: 'Bilal Ahmed' },
  ]
}

function describe(event: { type: string; done?: number; reason?: string }): string {
  if (event.type === 'progress') return `${(event.done ?? 0) * 100} % of it made`
  if (event.type === 'fail') return `it fails: ${event.reason}`
  return (
    { start: 'its turn', complete: 'its files', retry: 'Retry', cancel: 'Cancel' }[event.type] ?? event.type
  )
}

export const model = {
  name: 'report',
  kind: 'domain' as const,
  machine: reportMachine,
  events,
  serializeState: ({ value, context }: AnyMachineSnapshot) =>
    JSON.stringify([value, context.progress, context.reason]),
  describe,
}
