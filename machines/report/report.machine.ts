import { assign, emit, setup } from 'xstate'
import type { MadeFile } from '../contracts/entities/reports.ts'

/** `at`: the server's clock, epoch ms. `done`: how much of it is made, 0 to 1. `cancelledBy`: a person's name. */
export type ReportEvent =
  | { type: 'start'; at: number }
  | { type: 'progress'; at: number; done: number }
  | { type: 'complete'; at: number; files: MadeFile[] }
  | { type: 'fail'; at: number; reason: string }
  | { type: 'retry'; at: number; upTo: number }
  | { type: 'cancel'; at: number; cancelledBy: string }

/** Facts without the report they are about: whoever drives the machine knows that. */
export type ReportEmitted =
  | { type: 'report.started'; at: number; data: Record<string, never> }
  | { type: 'report.completed'; at: number; data: { files: MadeFile[] } }
  | { type: 'report.failed'; at: number; data: { reason: string } }
  | { type: 'report.retried'; at: number; data: { upTo: number } }
  | { type: 'report.cancelled'; at: number; data: { cancelledBy: string } }

type Context = {
  /** 0 to 1; is sent to who looks on, and stored in no log */
  progress: number
  /** why it failed; null: it did not */
  reason: string | null
}

/**
 * A report from its request to its file. Making it may be cut off and begun again any number of times while it is
 * pending: each beginning is emitted, and what comes out is the same, so it is emitted once. Until then somebody may cancel it.
 */
export const reportMachine = setup({
  types: { context: {} as Context, events: {} as ReportEvent, emitted: {} as ReportEmitted },
  actions: {
    begin: assign({ progress: 0, reason: null }),
    advance: assign(advance),
    finish: assign({ progress: 1 }),
    giveUp: assign(giveUp),
    emitStarted: emit(started),
    emitCompleted: emit(completed),
    emitFailed: emit(failed),
    emitRetried: emit(retried),
    emitCancelled: emit(cancelled),
  },
}).createMachine({
  id: 'report',
  context: { progress: 0, reason: null },
  initial: 'requested',
  states: {
    requested: {
      on: {
        start: { target: 'pending', actions: ['begin', 'emitStarted'] },
        cancel: { target: 'cancelled', actions: 'emitCancelled' },
      },
    },
    pending: {
      on: {
        start: { actions: ['begin', 'emitStarted'] },
        progress: { actions: 'advance' },
        complete: { target: 'completed', actions: ['finish', 'emitCompleted'] },
        fail: { target: 'failed', actions: ['giveUp', 'emitFailed'] },
        cancel: { target: 'cancelled', actions: 'emitCancelled' },
      },
    },
    completed: {},
    cancelled: {},
    failed: {
      on: { retry: { target: 'requested', actions: ['begin', 'emitRetried'] } },
    },
  },
})

type Args = { context: Context; event: ReportEvent }

function advance({ context, event }: Args): Partial<Context> {
  if (event.type !== 'progress') return {}
  return { progress: Math.max(context.progress, Math.min(1, Number.isNaN(event.done) ? 0 : event.done)) }
}

function giveUp({ event }: Args): Partial<Context> {
  return event.type === 'fail' ? { reason: event.reason } : {}
}

function started({ event }: Args): ReportEmitted {
  return { type: 'report.started', at: event.at, data: {} }
}

function completed({ event }: Args): ReportEmitted {
  if (event.type !== 'complete') throw new TypeError(event.type)
  return { type: 'report.completed', at: event.at, data: { files: event.files } }
}

function failed({ event }: Args): ReportEmitted {
  if (event.type !== 'fail') throw new TypeError(event.type)
  return { type: 'report.failed', at: event.at, data: { reason: event.reason } }
}

function retried({ event }: Args): ReportEmitted {
  if (event.type !== 'retry') throw new TypeError(event.type)
  return { type: 'report.retried', at: event.at, data: { upTo: event.upTo } }
}

function cancelled({ event }: Args): ReportEmitted {
  if (event.type !== 'cancel') throw new TypeError(event.type)
  return { type: 'report.cancelled', at: event.at, data: { cancelledBy: event.cancelledBy } }
}
