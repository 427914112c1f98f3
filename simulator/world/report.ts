/** What one device sends when it is its turn. */
import { copyReading, type ReadingColumns, sliceReadings } from '#machines/contracts/readings.ts'
import type { BacklogSort } from '#machines/contracts/scenario-script.ts'
import type { Cursor } from './cursor.ts'
import { inForce, isCutOff, isDead, TROUBLE } from './incidents.ts'
import { writeMessage } from './message.ts'
import { type Sent, withRoom } from './sent.ts'
import type { WorldState } from './world-state.ts'

/** Readings a device keeps while it is cut off; older ones are overwritten. */
const KEPT_READINGS = 2160

/** One device's turn: what it sends at `at`, into `sent`, which is another when it had no room. */
export function report(state: WorldState, index: number, at: number, sent: Sent): Sent {
  const cursor = state.cursors[index] as Cursor
  cursor.move(at)
  const { bits } = cursor
  if (bits !== 0) {
    if (isDead(cursor.troubles, bits, at)) return sent
    if (isCutOff(cursor.troubles, bits, at)) {
      cursor.keeping = true
      return sent
    }
  }
  const first = sent.readings.length
  let out = sent
  if (cursor.keeping) out = writeKept(state, cursor, at, out)
  out = write(out, cursor, at, at)
  if ((bits & TROUBLE.duplicate) !== 0) out = write(out, cursor, at, at)
  if (cursor.keeping) {
    cursor.keeping = false
    arrange(out.readings, first, state.backlogs[index])
  }
  for (let row = first; row < out.readings.length; row++) state.hashes.add(index, out, row)
  state.messagesSent += out.readings.length - first
  return out
}

function write(sent: Sent, cursor: Cursor, at: number, sentAt: number): Sent {
  const out = withRoom(sent)
  const row = out.readings.length
  writeMessage(out.readings, row, cursor.index, cursor, at)
  out.readings.length = row + 1
  out.sentAt[row] = sentAt
  return out
}

/** Puts what one device sends at once, oldest first from row `first` on, into the order in which it sends. */
function arrange(readings: ReadingColumns, first: number, sort: BacklogSort | undefined): void {
  if (sort === undefined) return
  const ascending = sliceReadings(readings, first, readings.length)
  const rows = Array.from({ length: ascending.length }, (_, row) => row)
  const now = ascending.at[ascending.length - 1]
  const isUrgent = (row: number): boolean =>
    ascending.at[row] === now || ascending.door[row] === 1 || ascending.unplug[row] === 1
  const order =
    sort === 'newest' ? rows.reverse() : [...rows.filter(isUrgent), ...rows.filter((row) => !isUrgent(row))]
  readings.length = first
  for (const row of order) copyReading(readings, ascending, row)
}

/** What the device kept while it was cut off, oldest first, just before what it measures at `at`. */
function writeKept({ interval }: WorldState, cursor: Cursor, at: number, sent: Sent): Sent {
  const past = cursor.apart()
  let first = at
  for (let kept = 0; kept < KEPT_READINGS; kept++) {
    if (!keptAt(past, first - interval)) break
    first -= interval
  }
  let out = sent
  for (let then = first; then < at; then += interval) {
    past.move(then)
    out = write(out, past, then, at)
  }
  return out
}

/** Whether a device kept what it measured at `at`, instead of sending it. */
export function keptAt(cursor: Cursor, at: number): boolean {
  const troubles = cursor.troublesAt(at)
  const bits = inForce(troubles, at)
  return bits !== 0 && !isDead(troubles, bits, at) && isCutOff(troubles, bits, at)
}
