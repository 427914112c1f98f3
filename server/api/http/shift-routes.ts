import { STILL_TO_COME } from '#machines/contracts/calls/as-of-calls.ts'
import { SHIFT_DAYS, TOO_LONG_AGO, TOO_MUCH_HAPPENED } from '#machines/contracts/calls/shift-calls.ts'
import type { ShiftLoad } from '#machines/contracts/entities/shift.ts'
import { isWithin } from '#machines/projections/directory.ts'
import { loadStateOf } from '#machines/projections/loads.ts'
import { type Shift, summaryOf } from '#machines/projections/shift.ts'
import { createLine } from '../../cluster/line.ts'
import { shiftSince } from '../../read-models/shift.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { loadRow } from './load-answer.ts'
import { ApiError } from './refusals.ts'

const DAY = 86_400_000
/** Summaries of one person that wait. */
const MOST_OF_ONE = 4

type Deps = Pick<
  HttpContext,
  'answerCall' | 'clock' | 'visible' | 'store' | 'readModels' | 'notifications' | 'budgets'
>

/** What happened since somebody left. */
export function shiftRoutes({ answerCall, clock, visible, ...reading }: Deps): void {
  const { directory } = reading.readModels
  const histories = createChangeHistories(reading.readModels)
  /** each may read much of the record */
  const inLine = createLine(MOST_OF_ONE)

  answerCall('shiftSummary', async ({ params, query, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const [now, since] = [clock.now(), Date.parse(query.since)]
    if (since > now) throw new ApiError(400, STILL_TO_COME)
    if (since < now - SHIFT_DAYS * DAY) throw new ApiError(400, TOO_LONG_AGO)
    const isRequested = (no: number): boolean =>
      isWithin(directory, directory.devices[no]?.groupId ?? null, groupId)
    const shift = await inLine(
      () => shiftSince(reading, { since, companyId: visitor.companyId, isRequested }),
      visitor,
    )
    if (shift === undefined) throw new ApiError(422, TOO_MUCH_HAPPENED)
    return {
      since: new Date(since).toISOString(),
      until: new Date(now).toISOString(),
      ...summaryOf(shift, loadsOf(reading, shift, isRequested, now)),
      ...histories.since(visitor, groupId, since),
    }
  })
}

/** Loads of these devices that are at risk now, or that something happened to. */
function loadsOf(
  { readModels: { directory }, budgets }: Pick<Deps, 'readModels' | 'budgets'>,
  { loads }: Shift,
  isRequested: (no: number) => boolean,
  now: number,
): ShiftLoad[] {
  const wanted = new Set([...loads.keys(), ...directory.loads.open.values()])
  return [...wanted].flatMap((loadId) => {
    const load = directory.loads.byId.get(loadId)
    if (load === undefined || !isRequested(load.deviceNo)) return []
    const news = loads.get(loadId) ?? []
    const known = budgets.of(loadId)
    if (news.length === 0 && loadStateOf(load, known.status) !== 'at-risk') return []
    const { reference, imei, deviceName, state, words } = loadRow(directory, load, known, now)
    return [{ loadId, reference, imei, deviceName, state, words, news }]
  })
}
