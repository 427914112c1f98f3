import { OBSERVATIONS_MAX_MS, OBSERVATIONS_TOO_LONG } from '#machines/contracts/calls/device-calls.ts'
import { LOADS_AT_ONCE } from '#machines/contracts/calls/load-calls.ts'
import type { Body, Query } from '#machines/contracts/calls.ts'
import {
  type BudgetTrack,
  LOAD_STATES,
  type Load,
  type LoadState,
  type LoadStory,
} from '#machines/contracts/entities/loads.ts'
import { type LoadRecord, loadOn, loadStateOf } from '#machines/projections/loads.ts'
import { profileNow } from '#machines/projections/profiles.ts'
import { budgetStatusOf } from '#machines/rules/budget-status.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { createLine } from '../../cluster/line.ts'
import type { Decide } from '../../commands/execute.ts'
import { openLoad, profileOfDevice } from '../../commands/loads/open-load.ts'
import { beginReview, closeLoad, decideLoad, loadInScope } from '../../commands/loads/work-on-load.ts'
import { authorName } from '../../commands/notifications/in-scope.ts'
import { loadStream } from '../../commands/profiles/set-profile.ts'
import { newId } from '../../commands/repeatable.ts'
import { storyOfLoad } from '../../evaluation/budgets/load-story.ts'
import { createLocalTime } from '../../jobs/reports/contents/local-time.ts'
import { drawLoadBook } from '../../jobs/reports/draw-load-book.ts'
import { keptSince } from '../../read-models/kept-since.ts'
import { attachmentOf } from './attachment.ts'
import { createBudgetColumns, seenIn } from './budget-columns.ts'
import type { HttpContext } from './context.ts'
import { loadAnswer, loadRow, type Reckoned } from './load-answer.ts'
import { ApiError, notFound, refusal } from './refusals.ts'
import { signOffBy } from './sign-off.ts'

type Deps = Pick<
  HttpContext,
  'answerCall' | 'execute' | 'readModels' | 'visible' | 'clock' | 'store' | 'budgets' | 'access'
>

/** Spells and places of a story that are named. */
const MOST_NAMED = 100
/** PDFs of one person that wait, and of one address a minute. */
const PDFS_OF_ONE = 4
const PDFS_A_MINUTE = 60

/** Loads: opening, closing, reviewing, and how much of their budgets is used. */
export function loadRoutes(deps: Deps): void {
  listRoutes(deps)
  workRoutes(deps)
  deviceRoutes(deps)
}

function loadSeen({ readModels: { directory } }: Deps, visitor: Visitor, loadId: string): LoadRecord {
  const load = loadInScope(directory, loadId, visitor.groupId)
  if (load === undefined) throw notFound()
  return load
}

async function answerOf(deps: Deps, visitor: Visitor, loadId: string): Promise<Load> {
  const { readModels, clock } = deps
  const load = loadSeen(deps, visitor, loadId)
  return loadAnswer(readModels.directory, visitor, load, await reckonedOf(deps, load), clock.now())
}

/** What readings say of a load; of one whose first are no longer kept, what is known of it. */
async function reckonedOf({ budgets, readModels, clock }: Deps, load: LoadRecord): Promise<Reckoned> {
  const budget = await budgets.reckoned(load)
  if (budget === undefined) throw notFound()
  const isWhole = load.openedAt >= keptSince(readModels.directory, load.companyId, clock.now())
  const known = isWhole ? undefined : budgets.of(load.loadId).status
  return { budget, status: known ?? budgetStatusOf(budget) }
}

/** A load and its story up to now. */
export async function storyOf(deps: Deps, visitor: Visitor, loadId: string): Promise<LoadStory> {
  const { store, readModels, clock } = deps
  const load = loadSeen(deps, visitor, loadId)
  const { directory } = readModels
  const kept = keptSince(directory, load.companyId, clock.now())
  const story = await storyOfLoad(store.telemetry, directory, load, { kept, until: clock.now() + 1 })
  if (story === undefined) throw notFound()
  const { budget, spells, places, course } = story
  const reckoned =
    load.openedAt < kept ? await reckonedOf(deps, load) : { budget, status: budgetStatusOf(budget) }
  return {
    ...loadAnswer(directory, visitor, load, reckoned, clock.now()),
    minutes: ((load.closedAt ?? clock.now()) - load.openedAt) / 60_000,
    spells: spells.slice(0, MOST_NAMED),
    moreSpells: Math.max(0, spells.length - MOST_NAMED),
    places: places.slice(0, MOST_NAMED),
    morePlaces: Math.max(0, places.length - MOST_NAMED),
    actions: load.actions.map(({ at, knownSince, ...one }) => ({
      ...one,
      at: new Date(at).toISOString(),
      ...(knownSince !== undefined && { knownSince: new Date(knownSince).toISOString() }),
    })),
    course,
  }
}

function listRoutes(deps: Deps): void {
  const { answerCall, visible, readModels, budgets, clock } = deps
  const { directory } = readModels
  /** each reads a story and draws it on a thread of its own */
  const inLine = createLine(PDFS_OF_ONE)
  const columns = createBudgetColumns(directory, budgets, clock)

  answerCall('loads', ({ params, query, visitor }) => {
    const { _id: topId } = visible.group(visitor, params.groupId)
    const isSeen = seenIn(directory, topId)
    const found = [...directory.loads.byId.values()]
      .filter((load) => load.companyId === visitor.companyId && isSeen(load.deviceNo))
      .filter((load) => isRequested(deps, load, query))
      .map((load) => ({ load, known: budgets.of(load.loadId) }))
    const counts = Object.fromEntries(LOAD_STATES.map((state) => [state, 0])) as Record<LoadState, number>
    for (const { load, known } of found) counts[loadStateOf(load, known.status)]++
    const { states = [], sort = 'opened', skip = 0, limit = 50 } = query
    const kept = found
      .filter(({ load, known }) => states.length === 0 || states.includes(loadStateOf(load, known.status)))
      .toSorted((a, b) => SORTS[sort](a, b) || b.load.openedAt - a.load.openedAt)
    return {
      loads: kept
        .slice(skip, skip + Math.min(limit, LOADS_AT_ONCE))
        .map(({ load, known }) => loadRow(directory, load, known, clock.now())),
      total: kept.length,
      counts,
    }
  })

  answerCall('budgets', ({ params, query, visitor }) =>
    columns(visible.group(visitor, params.groupId)._id, query.since),
  )

  answerCall(
    'loadPdf',
    async ({ params, visitor, reply }) => {
      const { companyId, userId } = visitor
      const { name = '', timeZone = 'UTC' } = directory.companies.get(companyId) ?? {}
      const madeFor = authorName(directory, userId)
      const madeAt = clock.now()
      return inLine(async () => {
        const story = await storyOf(deps, visitor, params.loadId)
        const drawn = await drawLoadBook({ story, company: { companyId, name, timeZone }, madeFor, madeAt })
        const at = createLocalTime(timeZone).compact(madeAt)
        reply
          .type('application/pdf')
          .header('content-disposition', attachmentOf(`${story.reference} ${at}.pdf`))
        return drawn
      }, visitor)
    },
    { perMinute: PDFS_A_MINUTE },
  )

  answerCall('load', ({ params, visitor }) => storyOf(deps, visitor, params.loadId))
}

type Found = { load: LoadRecord; known: ReturnType<Deps['budgets']['of']> }
type Sort = (a: Found, b: Found) => number
const used = ({ known }: Found): number => known.status?.percent || 0
const exhausts = ({ load, known }: Found): number =>
  load.closedAt === null ? (known.status?.exhaustsAt ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY
/** Infinity less Infinity is no number: that is no order. */
const ascending = (a: number, b: number): number => (a === b ? 0 : a - b)
const SORTS: Record<'used' | 'opened' | 'reference' | 'exhausts', Sort> = {
  used: (a, b) => used(b) - used(a),
  opened: (a, b) => b.load.openedAt - a.load.openedAt,
  reference: (a, b) => a.load.reference.localeCompare(b.load.reference),
  exhausts: (a, b) => ascending(exhausts(a), exhausts(b)),
}

function isRequested(
  { readModels: { directory } }: Deps,
  load: LoadRecord,
  query: Pick<Query<'loads'>, 'imei' | 'search' | 'startDate' | 'endDate'>,
): boolean {
  const device = directory.devices[load.deviceNo]
  if (query.imei !== undefined && directory.numbers.get(query.imei) !== load.deviceNo) return false
  if (query.endDate !== undefined && load.openedAt >= query.endDate) return false
  if (query.startDate !== undefined && (load.closedAt ?? Number.POSITIVE_INFINITY) <= query.startDate)
    return false
  const words = query.search?.trim().toLowerCase() ?? ''
  if (words === '') return true
  return [load.reference, device?.name, device?.plateNumber, device?.imei].some((text) =>
    text?.toLowerCase().includes(words),
  )
}

function workRoutes(deps: Deps): void {
  const { answerCall, execute } = deps

  answerCall('openLoad', async ({ body, visitor }) => {
    const loadId = newId('ld')
    const { imei, reference, profileId = null, since = null } = body
    const { companyId, groupId: topId, userId } = visitor
    const { refused } = await execute(
      loadStream(companyId),
      { type: 'load.open', by: userId, data: { loadId, imei, reference, profileId, since } },
      (state, command) => openLoad(state, command, { companyId, topId }),
    )
    if (refused) throw refusal(refused)
    return answerOf(deps, visitor, loadId)
  })

  type Work = 'load.close' | 'load.begin-review' | 'load.release' | 'load.reject'
  async function work<T extends Work>(
    visitor: Visitor,
    command: { type: T; by: string; data: Parameters<Decide<T>>[1]['data'] },
    decide: Decide<T>,
  ): Promise<Load> {
    const { loadId } = command.data
    loadSeen(deps, visitor, loadId)
    const { refused } = await execute(loadStream(visitor.companyId), command, decide)
    if (refused) throw refusal(refused)
    return answerOf(deps, visitor, loadId)
  }

  /** Signed once their password is right again; of a load they do not see nobody asks for it. */
  async function decisionOf(
    visitor: Visitor,
    { loadId }: { loadId: string },
    { reason, signOff }: Body<'releaseLoad'>,
  ) {
    loadSeen(deps, visitor, loadId)
    const signed = signOff && (await signOffBy(deps, visitor, signOff))
    return { loadId, reason, ...(signed && { signOff: signed }) }
  }

  answerCall('closeLoad', ({ params, visitor }) =>
    work(visitor, { type: 'load.close', by: visitor.userId, data: params }, (state, command) =>
      closeLoad(state, command, visitor),
    ),
  )
  answerCall('beginReview', ({ params, visitor }) =>
    work(visitor, { type: 'load.begin-review', by: visitor.userId, data: params }, (state, command) =>
      beginReview(state, command, visitor),
    ),
  )
  answerCall('releaseLoad', async ({ params, body, visitor }) =>
    work(
      visitor,
      { type: 'load.release', by: visitor.userId, data: await decisionOf(visitor, params, body) },
      (state, command) => decideLoad(state, command, visitor),
    ),
  )
  answerCall('rejectLoad', async ({ params, body, visitor }) =>
    work(
      visitor,
      { type: 'load.reject', by: visitor.userId, data: await decisionOf(visitor, params, body) },
      (state, command) => decideLoad(state, command, visitor),
    ),
  )
}

function deviceRoutes(deps: Deps): void {
  const { answerCall, visible, readModels, store, budgets, clock } = deps
  const { directory } = readModels

  answerCall('deviceBudget', async ({ params, visitor }) => {
    const device = visible.device(visitor, params.imei)
    const load = loadOn(directory.loads, device.no)
    const profileId = profileOfDevice(directory, device)
    const profile = profileId && profileNow(directory.profiles, device.companyId, profileId)
    return {
      load: load === undefined ? null : await answerOf(deps, visitor, load.loadId),
      profile: profileId && profile ? { profileId, name: profile.form.name } : null,
    }
  })

  answerCall('budgetTracks', async ({ params, query: { data }, visitor }) => {
    const device = visible.device(visitor, params.imei)
    const { startDate: from, endDate: to } = data
    if (to - from > OBSERVATIONS_MAX_MS) throw new ApiError(400, OBSERVATIONS_TOO_LONG)
    const tracks: BudgetTrack[] = []
    for (const loadId of directory.loads.ofDevice.get(device.no) ?? []) {
      const load = directory.loads.byId.get(loadId)
      if (load === undefined || load.openedAt >= to || (load.closedAt ?? to) <= from) continue
      const kept = keptSince(directory, load.companyId, clock.now())
      const until = Math.min(to, clock.now() + 1)
      const story = await storyOfLoad(store.telemetry, directory, load, { kept, until }, { from, to })
      if (story === undefined) continue
      tracks.push({
        ...{ loadId, reference: load.reference, course: story.course },
        from: new Date(load.openedAt).toISOString(),
        to: load.closedAt === null ? null : new Date(load.closedAt).toISOString(),
        state: loadStateOf(load, budgets.of(loadId).status),
      })
    }
    return { tracks }
  })
}
