import { useSelector } from '@xstate/react'
import { counted } from '#machines/rules/figures.ts'
import type { ValidFilter } from '#machines/violation-search/violation-search.machine.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { useViolationChart } from '../../actors/violation-search.ts'
import { Page } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { type Addressed, useAddress } from '../../layout/use-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { AgeLine } from './age-line.tsx'
import { ChartPanel } from './chart-panel.tsx'
import { KindCounters } from './counters.tsx'
import { FilterForm } from './filter-form.tsx'
import { FilterPanel } from './filter-panel.tsx'
import { KINDS } from './kinds.ts'
import { PastPending } from './past-pending.tsx'
import { LoadFailed, Waiting } from './search-states.tsx'
import { TimeBeyond } from './time-beyond.tsx'
import { useRequested } from './use-requested.ts'
import { needsFleet, type Requested, violationsAddress } from './violations-address.ts'

/** `/visualization/violations`: which devices were beyond their limits how often, by a filter. */
export default function Violations() {
  const addressed = useAddress(violationsAddress)
  const isThere = useFleet(isKnown)
  if (!isThere && needsFleet(addressed.state))
    return (
      <Page title="Violations">
        <Waiting>
          <KindCounters counts={undefined} range={null} />
        </Waiting>
      </Page>
    )
  return <ViolationsOf key={addressed.visit} addressed={addressed} />
}

const isKnown = (fleet: Fleet): boolean => fleet.seq !== undefined

function ViolationsOf({ addressed }: { addressed: Addressed<Requested> }) {
  const { clock } = useRoot()
  const { groupId } = useSignedIn().user
  const { first, note } = useRequested('violations', addressed)
  const actor = useViolationChart(first)
  const { filter, shown, faults, news, error } = useSelector(actor, ({ context }) => context)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  const hasFailed = useSelector(actor, (state) => state.matches('failed'))
  const refresh = () => actor.send({ type: 'refresh', now: clock.now() })
  const isOfAll = shown?.filter.groupId === groupId && shown.filter.devices === 'all'
  return (
    <Page title="Violations">
      <PrintHead />
      <div className="grid items-start gap-4 desk:grid-cols-[22rem_minmax(0,1fr)]">
        <FilterPanel isNeeded={faults.length > 0} summary={inShort(filter)}>
          <FilterForm
            filter={first}
            faults={faults}
            onFilter={(next) => {
              actor.send({ type: 'search', filter: next, now: clock.now() })
              const { faults, filter } = actor.getSnapshot().context
              if (faults.length === 0) note(filter)
            }}
          />
        </FilterPanel>
        <div aria-busy={isLoading} className="flex min-w-0 flex-col gap-4">
          {hasFailed && <LoadFailed details={error} wasShown={shown !== null} onRetry={refresh} />}
          {shown ? (
            <>
              <AgeLine
                {...{ at: shown.at, range: shown.filter.range, news, isLoading }}
                countedFrom={shown.answer.countedFrom}
                onRefresh={refresh}
              />
              {shown.answer.pending ? (
                <PastPending pending={shown.answer.pending} isLoading={isLoading} onRefresh={refresh} />
              ) : (
                <>
                  <KindCounters counts={shown.answer.counts} range={isOfAll ? shown.filter.range : null} />
                  <ChartPanel answer={shown.answer} filter={shown.filter} isLoading={isLoading} />
                  <TimeBeyond filter={shown.filter} at={shown.at} />
                </>
              )}
            </>
          ) : (
            isLoading && (
              <Waiting>
                <KindCounters counts={undefined} range={null} />
              </Waiting>
            )
          )}
        </div>
      </div>
    </Page>
  )
}

/** `All devices · 4 violations`, for where the filter is folded away. */
function inShort({ devices, violations }: ValidFilter): string {
  const who = devices === 'all' ? 'All devices' : counted(devices.length, 'device')
  return `${who} · ${violations.length === KINDS.length ? 'all violations' : counted(violations.length, 'violation')}`
}
