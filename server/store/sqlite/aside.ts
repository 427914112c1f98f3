import type { DatabaseSync } from 'node:sqlite'
import { type AsideRow, type AsideStore, bytesOf, fromRow } from '../aside.ts'
import type { Writer } from './writer.ts'

/** Readings kept aside, in the store's own file. */
export function createAside(db: DatabaseSync, writer: Writer): AsideStore {
  const insert = db.prepare(
    'INSERT OR IGNORE INTO aside (device, at, bytes, kind, received_at) VALUES (?, ?, ?, ?, ?)',
  )
  const ofDevice = db.prepare(
    'SELECT kind, received_at, bytes FROM aside WHERE device = ? AND at >= ? AND at < ? ORDER BY at',
  )
  const lastOfDevice = db.prepare(
    'SELECT kind, received_at, bytes FROM aside WHERE device = ? AND at >= ? AND at < ? ORDER BY at DESC LIMIT ?',
  )
  const countOfDevice = db.prepare(
    'SELECT count(*) AS found FROM (SELECT 1 FROM aside WHERE device = ? AND at >= ? AND at < ? LIMIT ?)',
  )
  const held = db.prepare("SELECT count(*) AS held FROM aside WHERE device = ? AND kind = 'held'")
  const due = db.prepare(
    "SELECT kind, received_at, bytes FROM aside WHERE kind = 'held' AND at <= ? ORDER BY at LIMIT ?",
  )
  const update = db.prepare('UPDATE aside SET kind = ? WHERE device = ? AND at = ? AND bytes = ?')
  const drop = db.prepare('DELETE FROM aside WHERE received_at < ?')
  const dropMeasured = db.prepare('DELETE FROM aside WHERE device = ? AND at < ?')
  const rows = (found: unknown[]) => (found as AsideRow[]).map(fromRow)

  return {
    add: (readings) =>
      writer.submit(() => {
        for (const { kind, receivedAt, reading } of readings)
          insert.run(reading.device, reading.at, bytesOf(reading), kind, receivedAt)
      }),
    of: async (device, from, to) => rows(ofDevice.all(device, from, to)),
    async lastOf({ device, from, to }, most, counted) {
      const { found } = countOfDevice.get(device, from, to, counted) as { found: number }
      return { last: rows(lastOfDevice.all(device, from, to, most)).reverse(), all: found }
    },
    heldOf: async (devices) =>
      new Map(devices.map((device) => [device, (held.get(device) as { held: number }).held])),
    due: async (now, limit) => rows(due.all(now, limit)),
    settle: (reading, kind) =>
      writer.submit(() => void update.run(kind, reading.device, reading.at, bytesOf(reading))),
    drop: (before) => writer.submit(() => void drop.run(before)),
    dropMeasured: (devices, before) =>
      writer.submit(() => {
        for (const device of devices) dropMeasured.run(device, before)
      }),
  }
}
