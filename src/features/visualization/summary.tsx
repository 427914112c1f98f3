import { useSelector } from '@xstate/react'
import { useMemo, useRef } from 'react'
import { Link } from 'wouter'
import type { ViolationSummary } from '#machines/contracts/entities/violations.ts'
import type { DateRange } from '#machines/rules/date-range.ts'
import { saveChartImage } from '../../actors/chart-image.ts'
import { useRoot } from '../../actors/use-root.ts'
import { useViolationSummary } from '../../actors/violation-search.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { type Addressed, useAddress } from '../../layout/use-address.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { AgeLine } from './age-line.tsx'
import { Count, Counter } from './counters.tsx'
import { ImageButton } from './image-button.tsx'
import { KINDS } from './kinds.ts'
import { PastPending } from './past-pending.tsx'
import { Pie, type Slice } from './pie.tsx'
import { RangeForm } from './range-form.tsx'
import { LoadFailed, Waiting } from './search-states.tsx'
import { TimeBeyond } from './time-beyond.tsx'
import { captionOf } from './time-words.ts'
import { useRequested } from './use-requested.ts'
import { type Requested, violationsAddress } from './violations-address.ts'

/** `/visualization/summary`: how many of the visitor's devices were beyond their limits, against those that were not. */
export default function Summary() {
  const addressed = useAddress(violationsAddress)
  return <SummaryOf key={addressed.visit} addressed={addressed} />
}

function SummaryOf({ addressed }: { addressed: Addressed<Requested> }) {
  const { clock } = useRoot()
  const { first, note } = useRequested('summary', addressed)
  const actor = useViolationSummary(first)
  const { shown, faults, news, error } = useSelector(actor, ({ context }) => context)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  const hasFailed = useSelector(actor, (state) => state.matches('failed'))
  const refresh = () => actor.send({ type: 'refresh', now: clock.now() })
  return (
    <Page title="Summary">
      <Panel className="p-4 pb-0">
        <RangeForm
          range={first.range}
          faults={faults}
          onFilter={(range) => {
            actor.send({ type: 'search', filter: { ...first, range }, now: clock.now() })
            const { faults, filter } = actor.getSnapshot().context
            if (faults.length === 0) note(filter)
          }}
        />
      </Panel>
      <div aria-busy={isLoading} className="flex min-w-0 flex-col gap-4">
        {hasFailed && <LoadFailed details={error} wasShown={shown !== null} onRetry={refresh} />}
        {shown && (
          <AgeLine
            {...{ at: shown.at, range: shown.filter.range, news, isLoading }}
            countedFrom={shown.answer.countedFrom}
            onRefresh={refresh}
          />
        )}
        {shown?.answer.pending ? (
          <PastPending pending={shown.answer.pending} isLoading={isLoading} onRefresh={refresh} />
        ) : shown ? (
          <>
            <Figures answer={shown.answer} />
            <PiePanel answer={shown.answer} range={shown.filter.range} isLoading={isLoading} />
            <TimeBeyond filter={shown.filter} at={shown.at} />
          </>
        ) : (
          isLoading && (
            <Waiting>
              <Figures answer={undefined} />
            </Waiting>
          )
        )}
      </div>
    </Page>
  )
}

function Figures({ answer }: { answer: ViolationSummary | undefined }) {
  return (
    <div className="grid grid-cols-2 gap-2 tablet:max-w-120">
      <Counter label="Number Of Devices">
        <Count value={answer?.numOfDevices} />
      </Counter>
      <Counter label="Total Violations">
        <Count value={answer?.totalViolations} />
      </Counter>
    </div>
  )
}

type PiePanelProps = { answer: ViolationSummary; range: DateRange; isLoading: boolean }

function PiePanel({ answer, range, isLoading }: PiePanelProps) {
  const root = useRoot()
  const figure = useRef<SVGSVGElement>(null)
  const slices = useMemo(() => slicesOf(answer, range), [answer, range])
  const caption = captionOf('Violation summary', range)
  const save = () => figure.current && void saveChartImage(root, figure.current, 'violation-summary', caption)
  return (
    <Panel
      title="Visualization"
      className={isLoading ? 'opacity-60' : ''}
      actions={<ImageButton isDisabled={answer.numOfDevices === 0} onPress={save} />}
    >
      {answer.numOfDevices === 0 ? (
        <EmptyState title="No data Found">No devices are assigned to your group.</EmptyState>
      ) : (
        <div className="flex flex-col items-center gap-4 p-4 pt-0 desk:flex-row desk:gap-8 desk:px-8">
          <Pie slices={slices} figure={figure} />
          <ul className="flex flex-wrap gap-2 pb-4 desk:flex-col desk:pb-0">
            {slices.map(({ action, href }) => (
              <li key={href}>
                <Link href={href} className={buttonLook('plain')}>
                  {action}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Panel>
  )
}

/** The series as slices: that of devices with violations leads to their notifications, the other to the dashboard. */
function slicesOf({ data }: ViolationSummary, range: DateRange): Slice[] {
  const behind = notificationsAddress({ range, types: KINDS.map(({ type }) => type) })
  return data.map(({ label, value }) =>
    label === 'Violation Devices'
      ? { label, value, look: 'trouble', action: 'Show their notifications', href: behind }
      : { label, value, look: 'calm', action: 'Show all devices on the dashboard', href: '/' },
  )
}
