import {
  createReadings,
  decodeReadings,
  encodeReadings,
  pushReading,
  type Reading,
  readingAt,
} from '#machines/contracts/readings.ts'

/**
 * Why a reading is kept beside the others. `held`: its time is still to come. `released`: it came, and the reading is among the
 * others. `contradicted`: it came, and others tell of that time. `other`: of one instant it is the one that does not count.
 */
export type AsideKind = 'held' | 'released' | 'contradicted' | 'other'

/** A reading that is never evaluated nor counted while it is here. `receivedAt`: epoch ms. */
export type AsideReading = { kind: AsideKind; receivedAt: number; reading: Reading }

/** Of one device, from ≤ at < to. */
export type AsideSpan = { device: number; from: number; to: number }

/** Readings kept beside the others, on all nodes, as long as those. All reject with StoreUnavailable. */
export type AsideStore = {
  /** Durable when it resolves; the same reading again stays as it was. */
  add(readings: readonly AsideReading[]): Promise<void>
  /** of one device with from ≤ at < to, ascending by `at` */
  of(device: number, from: number, to: number): Promise<AsideReading[]>
  /**
   * The last `most` of the same, ascending by `at`, and how many there are in all, counted up to `counted`: whoever has a key of a
   * company can have any number kept for one instant.
   */
  lastOf(span: AsideSpan, most: number, counted: number): Promise<{ last: AsideReading[]; all: number }>
  /** how many of these devices are held, by device */
  heldOf(devices: readonly number[]): Promise<Map<number, number>>
  /** held ones whose time came by `now`, oldest first */
  due(now: number, limit: number): Promise<AsideReading[]>
  /** notes what became of one */
  settle(reading: Reading, kind: AsideKind): Promise<void>
  /** forgets what was received before this time */
  drop(before: number): Promise<void>
  /** forgets what these devices measured before this time, held or not */
  dropMeasured(devices: readonly number[], before: number): Promise<void>
}

/** A row of the table, in either store: key is device, at and bytes. */
export type AsideRow = { kind: string; received_at: number; bytes: Uint8Array }

/** A reading encoded as a batch of one, as `fromRow` reads it. */
export function bytesOf(reading: Reading): Uint8Array {
  const columns = createReadings(1)
  pushReading(columns, reading)
  return encodeReadings(columns)
}

/** @throws where the bytes are no readings */
export const fromRow = ({ kind, received_at: receivedAt, bytes }: AsideRow): AsideReading => ({
  kind: kind as AsideKind,
  receivedAt,
  reading: readingAt(decodeReadings(bytes), 0),
})
