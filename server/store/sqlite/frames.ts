import type { DatabaseSync } from 'node:sqlite'
import { setImmediate as breath } from 'node:timers/promises'
import { type Frame, type FrameStore, fromFrameRow } from '../frames.ts'
import type { Writer } from './writer.ts'

/** Looked up at once: some 5 ms. */
const DEVICES_A_BREATH = 1000
/** Dropped at once: those of 100,000 devices are 0.65 MB each. */
const FRAMES_A_BREATH = 60
const MINUTES_AN_HOUR = 60

/** Frames of the fleet, in the store's own file. */
export function createFrames(db: DatabaseSync, writer: Writer): FrameStore {
  const insert = db.prepare(
    `INSERT INTO frames (minute, seq, base, bytes) SELECT ?1, ?2, ?3, ?4
      WHERE NOT EXISTS (SELECT 1 FROM frames WHERE minute >= ?1)
      AND (?3 IS NULL OR ?3 = (SELECT seq FROM frames ORDER BY minute DESC LIMIT 1))`,
  )
  const upTo = db.prepare(
    `SELECT minute, seq, base, bytes FROM frames
      WHERE minute >= max(?2, (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ?1)) AND minute <= ?1 ORDER BY minute`,
  )
  const next = db.prepare(
    'SELECT minute, seq, base, bytes FROM frames WHERE minute > ? ORDER BY minute LIMIT 1',
  )
  const span = db.prepare(
    'SELECT (SELECT min(minute) FROM frames) AS first, minute AS last, seq AS lastSeq FROM frames ORDER BY minute DESC LIMIT 1',
  )
  const drop = db.prepare(
    `DELETE FROM frames WHERE minute IN (SELECT minute FROM frames
      WHERE minute < (SELECT max(minute) FROM frames WHERE base IS NULL AND minute <= ?) ORDER BY minute LIMIT ?)`,
  )
  const insertLate = db.prepare('INSERT OR IGNORE INTO late_hours (hour, device) VALUES (?, ?)')
  const lateDevices = db.prepare(
    'SELECT DISTINCT device FROM late_hours WHERE hour BETWEEN ? AND ? ORDER BY device',
  )
  const isLate = db.prepare('SELECT 1 FROM late_hours WHERE device = ? AND hour BETWEEN ? AND ? LIMIT 1')
  const dropLate = db.prepare('DELETE FROM late_hours WHERE hour < ?')

  return {
    put: ({ minute, seq, base, bytes }, late = []) =>
      writer.submit(() => {
        const isStored = insert.run(minute, seq, base, bytes).changes > 0
        if (isStored) for (const { device, hour } of late) insertLate.run(hour, device)
        return isStored
      }),
    upTo: async (minute, from = 0) => (upTo.all(minute, from) as Frame[]).map(fromFrameRow),
    async next(minute) {
      const row = next.get(minute) as Frame | undefined
      return row && fromFrameRow(row)
    },
    async span() {
      return span.get() as { first: number; last: number; lastSeq: number } | undefined
    },
    async lateDevices(from, to) {
      return (lateDevices.all(from, to) as { device: number }[]).map(({ device }) => device)
    },
    async lateAmong(devices, from, to) {
      const found: number[] = []
      for (const [i, device] of devices.entries()) {
        if (isLate.get(device, from[i] as number, to) !== undefined) found.push(device)
        if (i % DEVICES_A_BREATH === DEVICES_A_BREATH - 1) await breath()
      }
      return found
    },
    async drop(before) {
      await writer.submit(() => dropLate.run(Math.floor(before / MINUTES_AN_HOUR)))
      let dropped: number | bigint
      do dropped = await writer.submit(() => drop.run(before, FRAMES_A_BREATH).changes)
      while (dropped === FRAMES_A_BREATH)
    },
  }
}
