import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Answer } from '#machines/contracts/calls.ts'
import { EVENT_TYPES, eventOf } from '#machines/contracts/events.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { KeyOwner } from '../../auth/key-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import type { EventLog } from '../../store/store.ts'
import type { HttpContext } from './context.ts'
import { ApiError, keyRefusal } from './refusals.ts'

/** Facts of all companies that one look goes through: some ms of work. */
const FACTS_A_LOOK = 5000
const PAGE = 1000
/** Calls of one company, and of all, that wait for the next event at once. */
const MOST_WAITING = { company: 8, all: 200 }

type Request = { companyId: string; after: number; limit: number }
type Page = Answer<'events'>

/** Calls that wait for the next event; `wake` answers each. */
type Waiting = {
  readModels: Pick<ReadModels, 'onAdvance'>
  companies: Map<string, number>
  wakes: Set<() => void>
  isClosing: boolean
}

/** The public events of a company, for other systems: by a key of the company, never by a session. */
export function eventRoutes({ app, answerCall, store, readModels, access }: HttpContext): void {
  const { log } = store
  const waiting = createWaiting(app, readModels)

  answerCall('events', async ({ query, request, reply }) => {
    const key = owner(request)
    reply.header('cache-control', 'no-store')
    const requested = { companyId: key.companyId, after: query.after, limit: query.limit }
    const found = look(log, requested)
    if (query.wait === 0 || found.events.length > 0 || found.hasMore) return found
    const page = await waitForMore(
      waiting,
      { ...requested, after: found.next },
      query.wait * 1000,
      (onGone) => request.raw.once('close', onGone),
    )
    // the key may have ended while it waited
    owner(request)
    return page
  })

  function owner({ headers, ip }: FastifyRequest): KeyOwner {
    const key = access.keyOf(headers['x-device-key'], 'events', ip)
    if ('refused' in key) throw keyRefusal(key.refused)
    return key
  }
}

/** One bounded look. `next`: where the following one begins, also where nothing was for this company. */
function look(log: EventLog, requested: Request): Page {
  const page: Page = { events: [], next: requested.after, hasMore: false }
  const head = log.head()
  for (let seen = 0; seen < FACTS_A_LOOK; seen += PAGE) {
    const facts = log.readFacts(page.next, { types: [...EVENT_TYPES], limit: PAGE })
    take(page, facts, requested)
    if (page.hasMore) return page
    if (facts.length < PAGE) return { ...page, next: Math.max(page.next, head) }
  }
  return { ...page, hasMore: true }
}

/** Adds the events of facts that are not behind the page, as many as it may have. */
function take(page: Page, facts: readonly Fact[], { companyId, limit }: Request): void {
  for (const fact of facts) {
    if (fact.seq <= page.next) continue
    const event = fact.companyId === companyId ? eventOf(fact) : undefined
    page.hasMore = event !== undefined && page.events.length === limit
    if (page.hasMore) return
    page.next = fact.seq
    if (event !== undefined) page.events.push(event)
  }
}

function createWaiting(app: FastifyInstance, readModels: ReadModels): Waiting {
  const waiting: Waiting = { readModels, companies: new Map(), wakes: new Set(), isClosing: false }
  // who waits is answered, and asks whoever serves next
  app.addHook('preClose', async () => {
    waiting.isClosing = true
    for (const wake of waiting.wakes) wake()
  })
  return waiting
}

/**
 * Takes what comes, as the read models take it, until there is an event, the time is up, the caller is gone, or the server closes; not at all
 * where as many wait as may. @throws ApiError 429 where as many of the company wait as may
 */
async function waitForMore(
  waiting: Waiting,
  requested: Request,
  ms: number,
  whenGone: (listener: () => void) => void,
): Promise<Page> {
  const { companies, wakes, readModels } = waiting
  const { companyId } = requested
  const mine = companies.get(companyId) ?? 0
  if (mine >= MOST_WAITING.company)
    throw new ApiError(429, 'Too many calls of this key wait for events. Ask again without wait.')
  const page: Page = { events: [], next: requested.after, hasMore: false }
  // that others wait is no fault of this one
  if (wakes.size >= MOST_WAITING.all) return page
  companies.set(companyId, mine + 1)
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const stop = readModels.onAdvance(({ facts, to }) => {
    take(page, facts, requested)
    if (!page.hasMore) page.next = Math.max(page.next, to)
    if (page.events.length > 0 || page.hasMore) end()
  })
  const timer = setTimeout(end, ms)
  wakes.add(end)
  whenGone(end)
  if (waiting.isClosing) end()
  await ended
  stop()
  clearTimeout(timer)
  wakes.delete(end)
  const left = (companies.get(companyId) ?? 1) - 1
  if (left > 0) companies.set(companyId, left)
  else companies.delete(companyId)
  return page
}
