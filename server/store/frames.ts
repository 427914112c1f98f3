/**
 * The fleet at a whole minute (minutes since 1970), and the position in the record that it stands for. `bytes` are those of
 * fleet-frame.ts: of the whole fleet where `base` is null, else what is other than in the frame before, which stands for `base`.
 */
export type Frame = { minute: number; seq: number; base: number | null; bytes: Uint8Array }

/** Something of an hour (since 1970) came late of a device. */
export type LateHour = { device: number; hour: number }

/** Frames of the fleet, and what came too late for them, on all nodes. All reject with StoreUnavailable. */
export type FrameStore = {
  /**
   * Durable when it resolves, with the hours that something came late of since the frame before. It is not stored where there is
   * one of this minute or a later one, or the last there is stands for another position than `base`: another node leads, or led.
   * @returns whether it is stored
   */
  put(frame: Frame, late?: readonly LateHour[]): Promise<boolean>
  /**
   * The last whole frame up to a minute, and all after it up to there, ascending; empty: nothing was kept by then.
   * @param from none of before this minute
   */
  upTo(minute: number, from?: number): Promise<Frame[]>
  /** the first frame after a minute; undefined: there is none */
  next(minute: number): Promise<Frame | undefined>
  /** the first and the last minute there is, and the position that the last stands for; undefined: there is none */
  span(): Promise<{ first: number; last: number; lastSeq: number } | undefined>
  /** devices that something of these hours (both included) came late of, ascending */
  lateDevices(from: number, to: number): Promise<number[]>
  /** those of these devices that something came late of, of the hours from `from` of each up to `to` (included) */
  lateAmong(devices: readonly number[], from: readonly number[], to: number): Promise<number[]>
  /** forgets what is before a minute, but for what the frames from there on stand upon */
  drop(before: number): Promise<void>
}

/** A row of the table, in either store. The database's bytes are a Buffer. */
export const fromFrameRow = ({ minute, seq, base, bytes }: Frame): Frame => ({
  ...{ minute, seq, base },
  bytes: new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
})
