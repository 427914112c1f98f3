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

/**
 * Leads where nobody does. Times are those of the database, counted here from before it was asked: a node that cannot ask
 * leads no more a while before another may. Resolves when it is known who leads.
 */
export async function holdLease(options: LeaseOptions): Promise<Lease> {
  const { database, node, address, ttl = TTL, uptime = () => performance.now(), say = () => {} } = options
  const key = randomBytes(18).toString('base64url')
  const listeners = new Set<Parameters<Lease['onLeadership']>[0]>()
  let known: Leader | undefined
  /** the term this node leads in, and until when (`uptime`) it may be sure of it */
  let held: { term: number; until: number } | undefined
  /** resolves when all that this node did as the leader is over, or others may lead anyway */
  let ended: Promise<unknown> = Promise.resolve()
  /** until when it leaves the lead to others (`uptime`) */
  let asideUntil = Number.NEGATIVE_INFINITY
  let isOver = false
  let refusal: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let ending: ReturnType<typeof setTimeout> | undefined
  let asking: Promise<void> | undefined

  const leads = (): boolean => held !== undefined && uptime() < held.until
  const isAside = (): boolean => uptime() < asideUntil
  function become(next: typeof held): void {
    const before = held?.term
    const left = Math.max(0, (held?.until ?? 0) + ttl * (1 - SAFE) - uptime())
    held = next
    clearTimeout(ending)
    if (held) ending = setTimeout(lose, Math.max(0, held.until - uptime()))
    if (before === held?.term) return
    if (before !== undefined && known?.term === before) known = undefined
    if (before !== undefined) {
      const over = Promise.all([...listeners].map((listener) => listener(false)))
      const isFree = new Promise((resolve) => setTimeout(resolve, left).unref())
      ended = Promise.race([over, isFree]).catch(() => {})
    }
    if (held) for (const listener of [...listeners]) listener(true)
  }
  function lose(): void {
    // a timer may come a moment too early
    become(leads() ? held : undefined)
  }

  async function turn(): Promise<void> {
    const from = uptime()
    // whoever was held up for so long does not lead any more, and asks as one who does not
    if (!leads()) become(undefined)
    let wait = ttl * RENEW
    try {
      const { isMine, remaining, ...lead } = await (isAside() ? look() : hold())
      refusal = undefined
      if (isOver) return
      const isLed = isMine && !isAside()
      if (!isLed) become(undefined)
      known = remaining > 0 && isMine === isLed ? lead : undefined
      if (isLed) become({ term: lead.term, until: from + ttl * SAFE })
      // given while it stepped down: given back at once
      else if (isMine) wait = 0
      else if (!isAside()) wait = Math.min(wait, Math.max(0, remaining) + LATER)
    } catch (error) {
      // a user that is let in no more, a function that is being restored: it passes like a database that is away
      if (!(error instanceof StoreUnavailable) && refusal !== String(error)) {
        refusal = String(error)
        say(`PostgreSQL does not say who leads, retrying: ${refusal}`)
      }
      wait = Math.min(wait, ttl * RETRY)
    }
    if (!isOver) timer = setTimeout(again, wait)
  }
  const hold = (): Promise<Row> =>
    database.ask(
      async (sql) => {
        const [row] = await sql<Row[]>`
          SELECT term, node, address, key, is_mine AS "isMine", remaining
          FROM hold_lead(${node}, ${address}, ${key}, ${ttl})`
        return row as Row
      },
      ttl * RENEW,
      { isFirst: true },
    )
  const leave = (sql: Query) => sql`SELECT leave_lead(term) FROM lead WHERE key = ${key}`
  /** who leads, which is not to be this node */
  async function look(): Promise<Row> {
    await ended
    return database.ask(
      async (sql) => {
        await leave(sql)
        const [row] = await sql<Row[]>`
          SELECT term, node, address, key, false AS "isMine",
            extract(epoch FROM until - clock_timestamp())::double precision * 1000 AS remaining FROM lead`
        return row as Row
      },
      ttl * RENEW,
      { isFirst: true },
    )
  }
  function again(): void {
    clearTimeout(timer)
    if (isOver) return
    asking ??= turn().finally(() => {
      asking = undefined
    })
  }

  const stops = [database.listen('lead', again), database.onReconnect(again)]
  again()
  await asking

  async function close(): Promise<void> {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    for (const stop of stops) stop()
    await asking
    const isHeld = held !== undefined
    become(undefined)
    // where the database does not answer, the time runs out
    if (isHeld) await database.ask(leave, ttl * RENEW, { isFirst: true }).catch(() => {})
  }

  return {
    leads,
    leader: () => (held !== undefined && !leads() ? undefined : known),
    onLeadership(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    stepDown(why) {
      asideUntil = uptime() + ttl
      if (held === undefined) return
      say(`this node leaves the lead to another: ${why}`)
      become(undefined)
      again()
    },
    close,
  }
}
