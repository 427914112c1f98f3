import type { Fact, FactType } from '#machines/contracts/facts.ts'
import type { PackedReadings } from '../../store/packed-readings.ts'
import type { ReportFile, ReportOrder } from './order.ts'

/** An order as it was requested: who and what it is about is looked up by the thread, as of `upTo`. */
export type RequestedOrder = Omit<ReportOrder, 'company' | 'group'> & {
  companyId: string
  groupId: string
  /** by number */
  devices: readonly number[]
  groups: readonly string[]
}

/** What the thread wants of the store, and what it gets. */
export type Requests = {
  /** facts of these types after a number, up to another, at most a page; `last`: go on after it, null: that was all */
  facts: {
    ask: { types: readonly FactType[]; after: number; upTo: number; companyId: string | null }
    answer: { facts: Fact[]; last: number | null }
  }
  /** the last position that was recorded up to a time, epoch ms */
  position: { ask: { at: number }; answer: number }
  /** `from`: of those that are kept, the same or later than what was asked for */
  readings: {
    ask: { no: number; from: number; to: number; upTo: number }
    answer: { packed: PackedReadings; from: number }
  }
}
export type RequestName = keyof Requests

export type ToThread =
  | { is: 'make'; order: RequestedOrder }
  | { is: 'answer'; id: number; answer: Requests[RequestName]['answer'] }
  /** `isPlain`: as of `failed` */
  | { is: 'refused'; id: number; reason: string; isPlain: boolean }
  | { is: 'cancel' }

export type FromThread =
  | { [W in RequestName]: { is: 'ask'; id: number; want: W; ask: Requests[W]['ask'] } }[RequestName]
  | { is: 'progress'; done: number }
  | { is: 'made'; files: ReportFile[] }
  /** `isPlain`: the reason is one for whoever asked; otherwise it is for operators */
  | { is: 'failed'; reason: string; isPlain: boolean }

/** What a thread is started with. `module`: address of a module with `makeFiles`; undefined: the real one. */
export type ThreadData = { module: string | undefined }
