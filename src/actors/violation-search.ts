import { useActorRef } from '@xstate/react'
import { useEffect, useMemo } from 'react'
import { pairwise } from 'rxjs'
import { fromPromise } from 'xstate'
import { VIOLATION_CALLS } from '#machines/contracts/calls/violation-calls.ts'
import type { ViolationChart, ViolationSummary } from '#machines/contracts/entities/violations.ts'
import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { ALL } from '#machines/contracts/scalars.ts'
import type { ViolationFilter } from '#machines/rules/violation-filter.ts'
import {
  type Load,
  type ValidFilter,
  violationSearchMachine,
} from '#machines/violation-search/violation-search.machine.ts'
import type { CallOptions, Http } from '../effects/http.ts'
import { zoneName } from '../format/time.ts'
import type { Fleet } from '../read-model/fleet.ts'
import { inspect } from './inspection.ts'
import { useStore } from './store.ts'
import { unlessStopped } from './unless-stopped.ts'
import { useRoot } from './use-root.ts'
import { useThen } from './use-then.ts'

type LoadWith<Answer> = (http: Http, filter: ValidFilter, options: CallOptions) => Promise<Answer>

/** Violations per device, by a filter that is asked for at once. Lives as long as the component. */
export const useViolationChart = (filter: ValidFilter) => useViolationSearch(filter, loadChart)

/** Devices with violations against those without, in a group and a range. */
export const useViolationSummary = (filter: ValidFilter) => useViolationSearch(filter, loadSummary)

/** What is asked for by a filter, as the documents' calls have it. */
export const bodyOf = ({ devices, violations, range }: ValidFilter) => ({
  devices: devices === 'all' ? [ALL] : [...devices],
  violations: [...violations],
  startDate: new Date(range.from).toISOString(),
  endDate: new Date(range.to).toISOString(),
})

const loadChart: LoadWith<ViolationChart> = (http, filter, options) =>
  http.ask(
    VIOLATION_CALLS.violationStats,
    { params: { groupId: filter.groupId }, body: bodyOf(filter) },
    options,
  )

const loadSummary: LoadWith<ViolationSummary> = (http, { groupId, range }, options) =>
  http.ask(
    VIOLATION_CALLS.summaryChart,
    { params: { groupId }, body: { startDate: range.from, endDate: range.to } },
    options,
  )

function useViolationSearch<Answer>(filter: ValidFilter, load: LoadWith<Answer>) {
  const { http, clock, live } = useRoot()
  const machine = useMemo(
    () =>
      violationSearchMachine<Answer>().provide({
        actors: {
          load: fromPromise<Answer, Load>(({ input: { filter, isBackground }, signal }) =>
            unlessStopped(signal, load(http, filter, { signal, isBackground })),
          ),
        },
      }),
    [http, load],
  )
  const actor = useActorRef(machine, { input: { filter, now: clock.now(), timeZone: zoneName }, inspect })
  const running = useStore(live)
  const isPast = useThen() !== undefined
  useEffect(() => {
    // what happens now is no news of then
    if (isPast || running === undefined) return
    const { facts$, liveFrom$ } = running.feed
    const following = facts$.subscribe((fact) => {
      if (isViolation(fact) && belongs(fact, actor.getSnapshot().context.filter, running.fleet))
        actor.send({ type: 'violation' })
    })
    // facts that a cut skipped are counted by nobody: what reaches the present is asked for again
    following.add(
      liveFrom$.pipe(pairwise()).subscribe(([before]) => {
        if (before !== undefined && actor.getSnapshot().context.reachesNow)
          actor.send({ type: 'refresh', now: clock.now() })
      }),
    )
    return () => following.unsubscribe()
  }, [running, actor, isPast, clock])
  return actor
}

/** What changes the counts: one more, or one that never was. */
const isViolation = (fact: Fact): fact is Counted =>
  fact.type === 'violation.opened' ||
  fact.type === 'violation.found-late' ||
  (fact.type === 'violation.revised' && fact.data.after === null)
type Counted = FactOf<'violation.opened'> | FactOf<'violation.found-late'> | FactOf<'violation.revised'>

/** Whether a violation is of the devices and kinds that are asked for; when it was is the machine's to know. */
function belongs(
  { data: { imei, type } }: Counted,
  { groupId, devices, violations }: Pick<ViolationFilter, 'groupId' | 'devices' | 'violations'>,
  { names, columns, groups }: Fleet,
): boolean {
  const row = names.rowOf(imei)
  const group = groups.list[columns.group[row] as number]?._id
  if (group === undefined || !violations.includes(type)) return false
  return groups.within(groupId).includes(group) && (devices === 'all' || devices.includes(imei))
}
