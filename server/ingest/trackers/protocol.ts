import type { Reading } from '#machines/contracts/readings.ts'

/** A tracker that was let in. `utcOffset`: ms its clock is ahead of UTC, for protocols that send local time. */
export type Tracker = { imei: string; no: number; companyId: string; utcOffset: number }

/** What a tracker says beside its readings. */
export type Notes = {
  /** fields that have another width than they are defined in: none is taken for something else */
  ignored: Set<string>
  /** wireless sensors that say whether their battery is low */
  lowBatteries: Map<string, boolean>
  /** what a whole frame says that cannot be, so that nothing of it is read */
  unread: Set<string>
}
export const noNotes = (): Notes => ({ ignored: new Set(), lowBatteries: new Map(), unread: new Set() })

/** What one whole frame says. `answer`: what the tracker is sent once that is taken, after the readings are stored. */
export type Decoded =
  | { kind: 'login'; imei: string; answer: Uint8Array; refusal: Uint8Array | undefined }
  | { kind: 'readings'; readings: Reading[]; notes: Notes; answer: Uint8Array | undefined }

/** How trackers of one make speak, as pure functions of bytes. */
export type Protocol = {
  readonly name: 'teltonika' | 'gt06'
  /** bytes at the beginning of `bytes` that belong to no frame, e.g. signs of life between frames */
  gap(bytes: Uint8Array): number
  /**
   * How long the frame is that begins here; undefined while that cannot be told.
   * @throws FrameError where none can begin: nobody knows where the next one would
   */
  frameLength(bytes: Uint8Array, isLetIn: boolean): number | undefined
  /**
   * What a whole frame says. `now`: epoch ms, for what is sent without a time.
   * @throws FrameError where it is broken; the next frame may be good
   */
  read(frame: Uint8Array, tracker: Tracker | undefined, now: number): Decoded
  /** answer to a broken frame of a tracker that was let in */
  readonly brokenAnswer: Uint8Array | undefined
}

/** These bytes are no frame, or a broken one. `fault`: a few words, the same each time; `detail`: what is wrong with these. */
export class FrameError extends Error {
  readonly fault: string
  readonly detail: string
  constructor(fault: string, detail: string) {
    super(`${fault}: ${detail}`)
    this.name = 'FrameError'
    this.fault = fault
    this.detail = detail
  }
}
