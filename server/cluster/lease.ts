import { randomBytes } from 'node:crypto'
import type { Database } from '../store/postgres/database.ts'
import type { Query } from '../store/postgres/session.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Cluster, Leader } from './cluster.ts'

export type LeaseOptions = {
  database: Pick<Database, 'ask' | 'listen' | 'onReconnect'>
  node: string
  address: string
  /** ms for which leadership is given at a time, by the database's clock (6,000); it is renewed after a third */
  ttl?: number
  /** ms that only ever grow */
  uptime?: () => number
  /** for operators: a line when the database refuses to say who leads, until it says so again, and when this node steps down */
  say?: (line: string) => void
}

export type Lease = Pick<Cluster, 'leads' | 'leader' | 'onLeadership' | 'stepDown'> & {
  /** lets another lead, and does not try again */
  close(): Promise<void>
}

type Row = Leader & { key: string; isMine: boolean; remaining: number }

const TTL = 6000
/** Share of that time after which it is renewed, and after which a node that got no answer leads no more. */
const RENEW = 1 / 3
const SAFE = 5 / 6
/** … and after which one asks again that got no answer. */
const RETRY = 1 / 12
/** Ms after somebody's time is up that others try. */
const LATER = 20

/** What a node knows of who leads, and what it waits for. */
type State = {
  readonly database: LeaseOptions['database']
  readonly node: string
  readonly address: string
  readonly ttl: number
  readonly uptime: () => number
  readonly say: (line: string) => void
  /** of this start of the node: by it others prove that they ask the leader they mean */
  readonly key: string
  readonly listeners: Set<Parameters<Lease['onLeadership']>[0]>
  leader: Leader | undefined
  /** the term this node leads in, and until when (`uptime`) it may be sure of it */
  held: { term: number; until: number } | undefined
  /** resolves when all that this node did as the leader is over, or others may lead anyway */
  ended: Promise<unknown>
  /** until when it leaves the lead to others (`uptime`) */
  asideUntil: number
  isClosed: boolean
  /** what the database refused with the last time, so that operators read of it once */
  refusal: string | undefined
  /** until it asks again */
  timer: ReturnType<typeof setTimeout> | undefined
  /** until the time held is over */
  ending: ReturnType<typeof setTimeout> | undefined
  /** the question on its way; no second one is asked beside it */
  asking: Promise<void> | undefined
}

/**
 * Leads where nobody does. Times are those of the database, counted here from before it was asked: a node that cannot ask
 * leads no more a while before another may. Resolves when it is known who leads.
 */
export async function holdLease(options: LeaseOptions): Promise<Lease> {
  const { database, node, address, ttl = TTL, uptime = () => performance.now(), say = () => {} } = options
  const state: State = {
    ...{ database, node, address, ttl, uptime, say },
    key: randomBytes(18).toString('base64url'),
    listeners: new Set(),
    leader: undefined,
    held: undefined,
    ended: Promise.resolve(),
    asideUntil: Number.NEGATIVE_INFINITY,
    isClosed: false,
    refusal: undefined,
    timer: undefined,
    ending: undefined,
    asking: undefined,
  }
  const stops = [database.listen('lead', () => askNow(state)), database.onReconnect(() => askNow(state))]
  askNow(state)
  await state.asking
  return {
    leads: () => leads(state),
    leader: () => (state.held !== undefined && !leads(state) ? undefined : state.leader),
    onLeadership(listener) {
      state.listeners.add(listener)
      return () => state.listeners.delete(listener)
    },
    stepDown: (why) => stepDown(state, why),
    close: () => close(state, stops),
  }
}

const leads = ({ held, uptime }: State): boolean => held !== undefined && uptime() < held.until

const isAside = ({ asideUntil, uptime }: State): boolean => uptime() < asideUntil

/** Leads until `next.until`, or no more (undefined), and says so to the listeners where it changes. */
function become(state: State, next: State['held']): void {
  const { ttl, uptime, listeners } = state
  const before = state.held?.term
  const left = Math.max(0, (state.held?.until ?? 0) + ttl * (1 - SAFE) - uptime())
  state.held = next
  clearTimeout(state.ending)
  if (next) state.ending = setTimeout(lose, Math.max(0, next.until - uptime()), state)
  if (before === next?.term) return
  if (before !== undefined && state.leader?.term === before) state.leader = undefined
  if (before !== undefined) {
    const over = Promise.all([...listeners].map((listener) => listener(false)))
    const isFree = new Promise((resolve) => setTimeout(resolve, left).unref())
    state.ended = Promise.race([over, isFree]).catch(() => {})
  }
  if (state.held) for (const listener of [...listeners]) listener(true)
}

function lose(state: State): void {
  // a timer may come a moment too early
  become(state, leads(state) ? state.held : undefined)
}

function stepDown(state: State, why: string): void {
  state.asideUntil = state.uptime() + state.ttl
  if (state.held === undefined) return
  state.say(`this node leaves the lead to another: ${why}`)
  become(state, undefined)
  askNow(state)
}

async function close(state: State, stops: readonly (() => void)[]): Promise<void> {
  if (state.isClosed) return
  state.isClosed = true
  clearTimeout(state.timer)
  for (const stop of stops) stop()
  await state.asking
  const isHeld = state.held !== undefined
  become(state, undefined)
  // where the database does not answer, the time runs out
  if (isHeld) await ask(state, (sql) => leave(state, sql)).catch(() => {})
}

function askNow(state: State): void {
  clearTimeout(state.timer)
  if (state.isClosed) return
  state.asking ??= askWhoLeads(state).finally(() => {
    state.asking = undefined
  })
}

/** Asks to lead, or who does where it stands aside, takes that over, and sets the time at which it asks again. */
async function askWhoLeads(state: State): Promise<void> {
  const { ttl, uptime } = state
  const from = uptime()
  // whoever was held up for so long does not lead any more, and asks as one who does not
  if (!leads(state)) become(state, undefined)
  let wait = ttl * RENEW
  try {
    const { isMine, remaining, ...leader } = await (isAside(state) ? look(state) : hold(state))
    state.refusal = undefined
    if (state.isClosed) return
    const isLed = isMine && !isAside(state)
    if (!isLed) become(state, undefined)
    state.leader = remaining > 0 && isMine === isLed ? leader : undefined
    if (isLed) become(state, { term: leader.term, until: from + ttl * SAFE })
    // given while it stepped down: given back at once
    else if (isMine) wait = 0
    else if (!isAside(state)) wait = Math.min(wait, Math.max(0, remaining) + LATER)
  } catch (error) {
    noteRefusal(state, error)
    wait = Math.min(wait, ttl * RETRY)
  }
  if (!state.isClosed) state.timer = setTimeout(askNow, wait, state)
}

/** A user that is let in no more, a function that is being restored: it passes like a database that is away. */
function noteRefusal(state: State, error: unknown): void {
  if (error instanceof StoreUnavailable || state.refusal === String(error)) return
  state.refusal = String(error)
  state.say(`PostgreSQL does not say who leads, retrying: ${state.refusal}`)
}

/** Takes or renews the lead where it is free or this node's; answers who leads then. */
const hold = (state: State): Promise<Row> =>
  ask(state, async (sql) => {
    const { node, address, key, ttl } = state
    const [row] = await sql<Row[]>`
      SELECT term, node, address, key, is_mine AS "isMine", remaining
      FROM hold_lead(${node}, ${address}, ${key}, ${ttl})`
    return row as Row
  })

/** Gives the lead back where this node has it; answers who leads then. */
async function look(state: State): Promise<Row> {
  await state.ended
  return ask(state, async (sql) => {
    await leave(state, sql)
    const [row] = await sql<Row[]>`
      SELECT term, node, address, key, false AS "isMine",
        extract(epoch FROM until - clock_timestamp())::double precision * 1000 AS remaining FROM lead`
    return row as Row
  })
}

const leave = ({ key }: State, sql: Query) => sql`SELECT leave_lead(term) FROM lead WHERE key = ${key}`

/** Before all else that waits for the database, and no longer than until the next question. */
const ask = <T>({ database, ttl }: State, work: (sql: Query) => Promise<T>): Promise<T> =>
  database.ask(work, ttl * RENEW, { isFirst: true })
