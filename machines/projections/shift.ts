import type { Incident } from '../contracts/entities/incidents.ts'
import type { LoadAction } from '../contracts/entities/loads.ts'
import type { ShiftAction, ShiftLoad, ShiftSummary } from '../contracts/entities/shift.ts'
import type { Fact, FactOf, FactType } from '../contracts/facts.ts'
import { whyAcknowledged } from '../rules/case-words.ts'
import { emptyIncidents, evolveIncidents, INCIDENT_FACTS, type Incidents } from './incidents.ts'
import { iso } from './over-list.ts'

/** Incidents and actions of one kind that are listed at most; counts are of all. */
export const MOST_LISTED = 500

/**
 * What happened since somebody left: a fold of the facts recorded since, over what lasted then. A violation that opened and was
 * taken back since is none.
 */
export type Shift = {
  incidents: Incidents
  /** violations and lost devices that lasted then, by their ids */
  before: ReadonlySet<string>
  /** oldest first */
  actions: ShiftAction[]
  /** what happened to loads, by the load, newest first */
  loads: Map<string, LoadAction[]>
}

/** @param lasting what was open when they left */
export function beginShift(lasting: readonly Incident[]): Shift {
  const open = lasting.map((one) => ({ ...one, clearedAt: null }))
  return {
    incidents: {
      ...emptyIncidents(),
      open: new Map(open.map((one) => [one.violationId, one])),
      lost: new Map(open.filter(isLost).map((one) => [one.imei, one.violationId])),
      overFor: Number.POSITIVE_INFINITY,
    },
    before: new Set(open.map(({ violationId }) => violationId)),
    actions: [],
    loads: new Map(),
  }
}

/** The facts it is a fold of. */
export const SHIFT_FACTS: readonly FactType[] = [
  ...INCIDENT_FACTS,
  'load.exhausted',
  'load.revised',
  'load.review-begun',
  'load.released',
  'load.rejected',
]

/** Folds one fact in, in place. */
export function evolveShift(shift: Shift, fact: Fact): void {
  const actionOf = ACTIONS[fact.type] as ((fact: Fact, shift: Shift) => ShiftAction | undefined) | undefined
  const done = actionOf?.(fact, shift)
  if (done !== undefined) shift.actions.push(done)
  noteLoad(shift.loads, fact)
  evolveIncidents(shift.incidents, fact)
}

function noteLoad(loads: Shift['loads'], fact: Fact): void {
  const note = (action: LoadAction['action'], userName: string | null, text = '') => {
    const { loadId } = fact.data as { loadId: string }
    const news = loads.get(loadId) ?? []
    loads.set(loadId, news)
    news.unshift({ at: iso(fact.at), action, userName, text })
  }
  if (fact.type === 'load.exhausted') note('exhausted', null)
  else if (fact.type === 'load.revised')
    note('revised', null, fact.data.after === null ? 'Late readings say that it never was exhausted' : '')
  else if (fact.type === 'load.review-begun') note('review-begun', fact.data.userName)
  else if (fact.type === 'load.released') note('released', fact.data.userName, fact.data.reason)
  else if (fact.type === 'load.rejected') note('rejected', fact.data.userName, fact.data.reason)
}

type Actions = { [T in FactType]?: (fact: FactOf<T>, shift: Shift) => ShiftAction | undefined }

const ACTIONS: Actions = {
  'violation.acknowledged': ({ at, data: { userName, imei, type, comment, reason } }) => ({
    ...doneBy({ at, userName, imei, type }),
    action: 'acknowledged',
    text: whyAcknowledged({ reason, comment }),
  }),
  'violation.taken': ({ at, data }) => ({ ...doneBy({ at, ...data }), action: 'taken' }),
  'violation.released': ({ at, data }) => ({ ...doneBy({ at, ...data }), action: 'released' }),
  'violation.shelved': ({ at, data }) => ({
    ...doneBy({ at, ...data }),
    action: 'shelved',
    text: data.reason,
  }),
  // without a name it ended by itself
  'violation.unshelved': ({ at, data: { userName, imei, type } }) =>
    userName === undefined ? undefined : { ...doneBy({ at, userName, imei, type }), action: 'unshelved' },
  'notification.commented': ({ at, data: { userName, imei, comment } }) => ({
    ...doneBy({ at, userName, imei, type: null }),
    action: 'commented',
    text: comment,
  }),
  'violation.revised': ({ data: { violationId, imei, type, after, receivedTo } }, { incidents, before }) => {
    const isNews = after === null && before.has(violationId) && incidents.open.has(violationId)
    if (!isNews) return undefined
    return { ...doneBy({ at: receivedTo, userName: null, imei, type }), action: 'taken-back' }
  },
}

function doneBy({
  at,
  userName,
  imei,
  type,
}: Pick<ShiftAction, 'userName' | 'imei' | 'type'> & { at: number }) {
  return { at: iso(at), userName, imei, type, text: '' }
}

/** What of it is answered. */
export function summaryOf(
  { incidents, before, actions }: Shift,
  loads: readonly ShiftLoad[],
): Pick<ShiftSummary, 'opened' | 'ended' | 'counts' | 'actions' | 'loads'> {
  const open = [...incidents.open.values()]
  const over = [...incidents.over, ...incidents.back]
  const isNew = ({ violationId }: Incident): boolean => !before.has(violationId)
  const lasting = open.filter(isNew)
  const opened = [...lasting, ...over.filter(isNew)]
  const ended = over.filter((one) => !isNew(one))
  return {
    opened: [...newest(opened.filter((one) => !isLost(one))), ...newest(opened.filter(isLost))].sort(
      newestOpeningFirst,
    ),
    ended: ended.sort(newestEndFirst).slice(0, MOST_LISTED),
    counts: {
      opened: opened.filter((one) => !isLost(one)).length,
      stillOpen: lasting.filter((one) => !isLost(one)).length,
      lost: opened.filter(isLost).length,
      stillLost: lasting.filter(isLost).length,
      ended: ended.length,
      actions: actions.length,
      loads: loads.length,
      atRisk: loads.filter(({ state }) => state === 'at-risk').length,
      exhausted: loads.filter(({ news }) => isExhausted(news)).length,
      decided: loads.filter(({ news }) =>
        news.some(({ action }) => action === 'released' || action === 'rejected'),
      ).length,
    },
    loads: loads.toSorted((a, b) => URGENCY[a.state] - URGENCY[b.state]).slice(0, MOST_LISTED),
    actions: actions.slice(-MOST_LISTED).reverse(),
  }
}

/** Published to be, and not taken back after that. */
function isExhausted(news: readonly LoadAction[]): boolean {
  const last = news.find(({ action }) => action === 'exhausted' || action === 'revised')
  return last !== undefined && last.text === ''
}

const URGENCY: Record<ShiftLoad['state'], number> = {
  ...{ exhausted: 0, 'at-risk': 1, 'in-review': 2, rejected: 3, released: 4, within: 5, closed: 5 },
}

/** Those that last first, then the newest: a flood of what is over must not hide what is to do. */
const newest = (opened: readonly Incident[]): Incident[] =>
  opened
    .toSorted(
      (a, b) => Number(b.clearedAt === null) - Number(a.clearedAt === null) || newestOpeningFirst(a, b),
    )
    .slice(0, MOST_LISTED)

const isLost = ({ type }: Incident): boolean => type === 'offline'
const newestOpeningFirst = (a: Incident, b: Incident): number => compare(b.openedAt, a.openedAt)
const newestEndFirst = (a: Incident, b: Incident): number => compare(b.clearedAt ?? '', a.clearedAt ?? '')
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
