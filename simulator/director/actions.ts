import { randomUUID } from 'node:crypto'
import type { Clock } from '#machines/contracts/clock.ts'
import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { EventLog } from '../../server/ports.ts'

/**
 * Something a director did. `at`, `undoneAt`: epoch ms of the world; `what`: a sentence; `realSeconds`: how long it lasted by
 * everybody's clock, of a fault of the network that was ended before its time.
 */
export type Action = {
  id: string
  at: number
  what: string
  done: DirectorAction
  undoneAt: number | null
  realSeconds?: number
}

/** What was done to this world, kept with it: it survives a restart, and is gone when the world begins anew. */
export type Actions = {
  /** oldest first */
  all(): readonly Action[]
  find(id: string): Action | undefined
  /** remembers an action. `with`: facts of the same stroke, kept together with it or not at all */
  note(done: DirectorAction, what: string, more?: { id?: string; with?: NewFact[] }): Promise<Action>
  noteUndone(action: Action, more?: { with?: NewFact[]; realSeconds?: number }): Promise<void>
  /** whether this event of the scenario has happened, and that it has */
  isPlayed(event: number): boolean
  notePlayed(event: number): Promise<void>
}

/** One stream for all of it; its name is of when faults were all there was. */
export const DIRECTOR_STREAM = 'sim-faults'

const LONGEST = 200

export function createActions(log: EventLog, clock: Clock): Actions {
  const actions = new Map<string, Action>()
  const played = new Set<number>()
  for (const { type, at, data } of log.readStream(DIRECTOR_STREAM)) {
    if (type === 'director.acted') {
      const { actionId: id, what, deed: done } = data
      actions.set(id, { id, at, what, done, undoneAt: null })
    }
    if (type === 'director.undid') {
      const { actionId, ...lasted } = data
      Object.assign(actions.get(actionId) ?? {}, { undoneAt: at, ...lasted })
    }
    if (type === 'scenario.played') played.add(data.event)
  }
  const append = (...facts: NewFact[]) => log.append(DIRECTOR_STREAM, facts)
  return {
    all: () => [...actions.values()],
    find: (id) => actions.get(id),
    async note(done, sentence, { id = randomUUID(), with: facts = [] } = {}) {
      const what = sentence.length > LONGEST ? `${sentence.slice(0, LONGEST - 1)}…` : sentence
      const action: Action = { id, at: clock.now(), what, done, undoneAt: null }
      const data = { actionId: id, what, deed: done }
      await append(...facts, { type: 'director.acted', at: action.at, companyId: null, data })
      actions.set(id, action)
      return action
    },
    async noteUndone(action, { with: facts = [], realSeconds } = {}) {
      const at = clock.now()
      const lasted = realSeconds === undefined ? {} : { realSeconds }
      const data = { actionId: action.id, ...lasted }
      await append(...facts, { type: 'director.undid', at, companyId: null, data })
      Object.assign(action, { undoneAt: at, ...lasted })
    },
    isPlayed: (event) => played.has(event),
    async notePlayed(event) {
      await append({ type: 'scenario.played', at: clock.now(), companyId: null, data: { event } })
      played.add(event)
    },
  }
}
