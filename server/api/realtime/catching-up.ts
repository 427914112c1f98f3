import type { Clock } from '#machines/contracts/clock.ts'
import { MOST_CATCHING_UP, type ServerEvents } from '#machines/contracts/sockets.ts'
import { type Progress, progressOf } from '#machines/rules/catching-up.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { Scope } from './scopes.ts'

type Message = ServerEvents['catchingUp']
type Row = Message['devices'][number]

/** How far devices have come that deliver their past, as of the last look, and what was otherwise at the one before. */
export type CatchingUpRows = {
  /** looks again: only at devices that were silent. Whether anything is otherwise */
  look(): boolean
  /** what is otherwise since the look before, of the devices in a scope; none where nothing is */
  changed(scope: Scope): Message[]
  /** all there is of the devices in a scope; at least one message */
  whole(scope: Scope): Message[]
}

/** Nothing is known before the first `look`. */
export function followCatchingUp(readModels: Pick<ReadModels, 'catchingUp'>, clock: Clock): CatchingUpRows {
  let shown = new Map<number, Progress>()
  let changes: Row[] = []
  return {
    look() {
      const before = shown
      shown = progressNow(readModels, clock.now())
      changes = differences(before, shown)
      return changes.length > 0
    },
    changed: (scope) => messagesOf(within(changes, scope), false),
    whole(scope) {
      const rows = within(
        Array.from(shown, ([no, { came, of }]): Row => [no, came, of]),
        scope,
      )
      return rows.length === 0 ? [{ isWhole: true, devices: [] }] : messagesOf(rows, true)
    },
  }
}

function progressNow({ catchingUp }: Pick<ReadModels, 'catchingUp'>, now: number): Map<number, Progress> {
  const found = new Map<number, Progress>()
  for (const [no, silence] of catchingUp.silences) {
    const progress = progressOf(silence, now)
    if (progress) found.set(no, progress)
  }
  return found
}

function differences(before: ReadonlyMap<number, Progress>, now: ReadonlyMap<number, Progress>): Row[] {
  const rows: Row[] = []
  for (const [no, { came, of }] of now) {
    const was = before.get(no)
    if (was?.came !== came || was.of !== of) rows.push([no, came, of])
  }
  for (const no of before.keys()) if (!now.has(no)) rows.push([no, 0, 0])
  return rows
}

const within = (rows: readonly Row[], { devices }: Scope): Row[] =>
  rows.filter(([no]) => isAmong(devices, no))

/** @param ascending device numbers */
function isAmong(ascending: Uint32Array, no: number): boolean {
  let from = 0
  let to = ascending.length
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((ascending[middle] as number) < no) from = middle + 1
    else to = middle
  }
  return ascending[from] === no
}

function messagesOf(rows: readonly Row[], isWhole: boolean): Message[] {
  const messages: Message[] = []
  for (let i = 0; i < rows.length; i += MOST_CATCHING_UP)
    messages.push({ isWhole: isWhole && i === 0, devices: rows.slice(i, i + MOST_CATCHING_UP) })
  return messages
}
