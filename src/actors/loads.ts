import { useCallback, useState } from 'react'
import type { QueryOf } from '#machines/contracts/calls/call.ts'
import { LOAD_CALLS } from '#machines/contracts/calls/load-calls.ts'
import type { Load, LoadRow } from '#machines/contracts/entities/loads.ts'
import type { SigningOff } from '#machines/contracts/entities/sign-off.ts'
import { download } from '../effects/download.ts'
import type { CallOptions, Http } from '../effects/http.ts'
import { useBudgets } from './budgets.ts'
import { firstRows } from './first-rows.ts'
import { useActing } from './use-acting.ts'
import { useKept, useKeptAnswer } from './use-kept-answer.ts'
import { useRoot, useSignedIn } from './use-root.ts'

type Requested = Omit<QueryOf<typeof LOAD_CALLS.loads>, 'skip' | 'limit'>
type Listed = { loads: readonly LoadRow[]; total: number; counts: Readonly<Record<string, number>> }

const PAGE = 100

/** The loads one asks for, as many as are wanted, asked for again when something happened to one. */
export function useLoads(requested: Requested) {
  const { http } = useRoot()
  const { user } = useSignedIn()
  const { told, of } = useBudgets()
  const [wanted, setWanted] = useState(PAGE)
  const about = JSON.stringify(requested)
  const kept = useKept<Listed>({
    // budgets go on being used: each look at them is a reason to look at the list
    key: `${about} ${wanted} ${told} ${revisionOf(of)}`,
    about,
    request: (options) => firstOf(http, user.groupId, requested, wanted, options),
  })
  return { ...kept, loadMore: useCallback(() => setWanted((n) => n + PAGE), []) }
}

const numbers = new WeakMap<object, number>()
let count = 0
/** Another number for another map. */
function revisionOf(of: object): number {
  const known = numbers.get(of)
  if (known !== undefined) return known
  numbers.set(of, ++count)
  return count
}

async function firstOf(
  http: Http,
  groupId: string,
  requested: Requested,
  wanted: number,
  options: CallOptions,
): Promise<Listed> {
  let whole: Pick<Listed, 'total' | 'counts'> = { total: 0, counts: {} }
  const loads = await firstRows(wanted, async (skip, limit) => {
    const query = queryOf({ ...requested, skip, limit })
    const answer = await http.ask(LOAD_CALLS.loads, { params: { groupId }, query }, options)
    whole = answer
    return answer.loads
  })
  return { ...whole, loads }
}

/** Lists stand in a query between commas. */
const queryOf = (query: QueryOf<typeof LOAD_CALLS.loads>): QueryOf<typeof LOAD_CALLS.loads> =>
  ({ ...query, ...(query.states && { states: query.states.join(',') }) }) as typeof query

/** A load with its story, asked for again when something happened to a load, or its budget is another. */
export function useLoadStory(loadId: string, deviceNo: number | undefined) {
  const { told, of } = useBudgets()
  const now = deviceNo === undefined ? undefined : of.get(deviceNo)
  const { http } = useRoot()
  return useKept({
    key: `${loadId} ${told} ${now?.percent} ${now?.most} ${now?.exhaustsAt}`,
    about: loadId,
    request: (options) => http.ask(LOAD_CALLS.load, { params: { loadId } }, options),
  })
}

/** What a device carries, and the profile of what would be opened on it. */
export function useDeviceBudget(imei: string, deviceNo: number | undefined) {
  const { told, of } = useBudgets()
  const now = deviceNo === undefined ? undefined : of.get(deviceNo)
  const { http } = useRoot()
  return useKept({
    key: `${imei} ${told} ${now?.percent} ${now?.most} ${now?.exhaustsAt}`,
    about: imei,
    isBackground: true,
    request: (options) => http.ask(LOAD_CALLS.deviceBudget, { params: { imei } }, options),
  })
}

/** How the budgets of what a device carried went in a time, for beside its chart; epoch ms. */
export function useBudgetTracks(imei: string, { from, to }: { from: number; to: number }) {
  const { told } = useBudgets()
  const range = { startDate: Math.round(from), endDate: Math.round(to) }
  const isWanted = told >= 0 && to - from <= MOST_TRACK_MS
  const { answer } = useKeptAnswer(
    LOAD_CALLS.budgetTracks,
    { params: { imei }, query: { data: range } },
    { isBackground: true, isWanted, about: imei },
  )
  return isWanted && answer ? answer.tracks : NO_TRACKS
}
const NO_TRACKS: readonly never[] = []
/** As long as the server answers at once, ms. */
const MOST_TRACK_MS = 25 * 3_600_000

/** What can be done to a load; a refusal is told in a toast, and by the answer, which is undefined then. */
export function useLoadActions() {
  const { http, toasts } = useRoot()
  const { again } = useBudgets()
  const { isActing, act } = useActing()
  const done = async (work: () => Promise<Load>, message: string): Promise<Load | undefined> => {
    let load: Load | undefined
    await act(async () => {
      load = await work()
      toasts.success(message)
    })
    again()
    return load
  }
  return {
    isActing,
    open: (body: { imei: string; reference: string; profileId?: string; since?: number }) =>
      done(() => http.ask(LOAD_CALLS.openLoad, { body }), 'The load was opened'),
    close: (loadId: string) =>
      done(() => http.ask(LOAD_CALLS.closeLoad, { params: { loadId } }), 'The load was closed'),
    beginReview: (loadId: string) =>
      done(() => http.ask(LOAD_CALLS.beginReview, { params: { loadId } }), 'The review has begun'),
    /** Signed; @throws what the server refused, for the form that asked. */
    async decide(
      decision: 'release' | 'reject',
      loadId: string,
      { reason, ...signOff }: SigningOff,
    ): Promise<void> {
      const call = decision === 'release' ? LOAD_CALLS.releaseLoad : LOAD_CALLS.rejectLoad
      await http.ask(call, { params: { loadId }, body: { reason, signOff } })
      toasts.success(decision === 'release' ? 'The load was released' : 'The load was rejected')
      again()
    },
    savePdf: ({ _id, reference }: Pick<Load, '_id' | 'reference'>) =>
      act(async () => {
        const bytes = await http.askBytes(LOAD_CALLS.loadPdf, { params: { loadId: _id } }, 'application/pdf')
        download(
          `load-${reference.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').slice(0, 60)}.pdf`,
          new Blob([bytes], { type: 'application/pdf' }),
        )
        toasts.success('PDF downloaded')
      }),
  }
}
