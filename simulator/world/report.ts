/** What one device sends when it is its turn. */
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
  let out = sent
  if (cursor.keeping) {
    cursor.keeping = false
    out = sendKept(state, cursor, at, out)
  }
  out = send(state, out, cursor, at, at)
  return (bits & TROUBLE.duplicate) === 0 ? out : send(state, out, cursor, at, at)
}

function send(state: WorldState, sent: Sent, cursor: Cursor, at: number, sentAt: number): Sent {
  const out = withRoom(sent)
  const row = out.readings.length
  writeMessage(out.readings, row, cursor.index, cursor, at)
  out.readings.length = row + 1
  out.sentAt[row] = sentAt
  state.hashes.add(cursor.index, out, row)
  state.messagesSent++
  return out
}

/** What the device kept while it was cut off, oldest first, just before what it measures at `at`. */
function sendKept(state: WorldState, cursor: Cursor, at: number, sent: Sent): Sent {
  const { interval } = state
  const past = cursor.apart()
  let first = at
  for (let kept = 0; kept < KEPT_READINGS; kept++) {
    if (!keptAt(past, first - interval)) break
    first -= interval
  }
  let out = sent
  for (let then = first; then < at; then += interval) {
    past.move(then)
    out = send(state, out, past, then, at)
  }
  return out
}

/** Whether a device kept what it measured at `at`, instead of sending it. */
export function keptAt(cursor: Cursor, at: number): boolean {
  const troubles = cursor.troublesAt(at)
  const bits = inForce(troubles, at)
  return bits !== 0 && !isDead(troubles, bits, at) && isCutOff(troubles, bits, at)
}
