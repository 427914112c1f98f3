import { Check, RefreshCw } from 'lucide-react'
import { useEffect, useState } from 'react'
import { SHIFT_CALLS, SHIFT_DAYS } from '#machines/contracts/calls/shift-calls.ts'
import type { Desk, Incident } from '#machines/contracts/entities/incidents.ts'
import type { ShiftSummary } from '#machines/contracts/entities/shift.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { leftBefore } from '../../actors/use-last-visit.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { spokenTime } from '../../format/spoken-time.ts'
import { lasting, zoneName } from '../../format/time.ts'
import { worstFirst } from '../../layout/incidents/lines.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { useAddress } from '../../layout/use-address.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { DateTimeField } from '../../ui/date-time-field.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ActionsPanel } from './actions-panel.tsx'
import { ChangesPanel } from './changes-panel.tsx'
import { IncidentsPanel } from './incidents-panel.tsx'
import { LoadsPanel } from './loads-panel.tsx'
import { shiftAddress } from './shift-address.ts'
import { countWords } from './shift-words.ts'

const HOUR = 3_600_000
/** A page that stays open is made anew so often, ms. */
const RENEWED_EACH = 60_000
const SPANS = [
  { hours: 8, text: '8 h' },
  { hours: 12, text: '12 h' },
  { hours: 24, text: '24 h' },
  { hours: 72, text: '3 d' },
]

/** `/shift`: what happened since one left, or since another time: for whoever comes, and for whoever hands over. */
export default function Shift() {
  const { clock } = useRoot()
  const { user } = useSignedIn()
  const { state, write } = useAddress(shiftAddress)
  const [begin] = useState(() => leftBefore(user._id) ?? clock.now() - 8 * HOUR)
  const since = state.since ?? begin
  const { answer, failure, ask } = useKeptAnswer(SHIFT_CALLS.shiftSummary, {
    params: { groupId: user.groupId },
    query: { since: new Date(since).toISOString() },
  })
  useEffect(() => {
    const timer = setInterval(ask, RENEWED_EACH)
    return () => clearInterval(timer)
  }, [ask])
  // what the server refuses it says the remedy of
  const isRefused = failure?.status !== undefined && failure.status < 500
  const show = (at: number): void => write({ since: at }, 'push')
  return (
    <Page
      title="Since you left"
      description={
        <span className="tabular">
          {answer && `${spokenTime(since)} until now, ${lasting((Date.parse(answer.until) - since) / 1000)}`}
        </span>
      }
      actions={
        <Button onPress={ask}>
          <RefreshCw size={16} aria-hidden />
          Refresh
        </Button>
      }
    >
      {answer && <PrintHead range={{ from: since, to: Date.parse(answer.until) }} />}
      <Panel className="px-4 pt-3 pb-4 print:hidden">
        <SinceForm key={since} since={since} now={clock.now()} onChoose={show} />
      </Panel>
      {failure && (
        <Panel>
          <ErrorState
            title="What happened since then could not be summed up"
            details={isRefused ? undefined : failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          >
            {isRefused && <p>{failure.message}</p>}
            {answer && <p>Below is what was loaded before.</p>}
          </ErrorState>
        </Panel>
      )}
      {answer ? (
        <Summary summary={answer} />
      ) : (
        !failure && (
          <Panel>
            <SkeletonRows rows={10} className="p-2" />
          </Panel>
        )
      )}
    </Page>
  )
}

type SinceFormProps = { since: number; now: number; onChoose: (at: number) => void }

/** A time, or so many hours back. */
function SinceForm({ since, now, onChoose }: SinceFormProps) {
  const [typed, setTyped] = useState<number | null>(since)
  const fault = faultOf(typed, now)
  const choose = (): void => {
    if (typed !== null && fault === undefined && typed !== since) onChoose(typed)
  }
  return (
    <form
      aria-label="Since when"
      onSubmit={(event) => {
        event.preventDefault()
        choose()
      }}
      className="flex flex-wrap items-end gap-x-2 gap-y-1"
    >
      <div className="w-56">
        <DateTimeField
          label="Since"
          value={typed}
          onChange={setTyped}
          timeZone={zoneName}
          message={fault}
          earliest={now - SHIFT_DAYS * 24 * HOUR}
          latest={now}
          onLeave={choose}
        />
      </div>
      <fieldset aria-label="Hours back" className="flex flex-wrap">
        {SPANS.map(({ hours, text }) => (
          <Button
            key={text}
            kind="quiet"
            onPress={() => onChoose(now - hours * HOUR)}
            className="px-2 text-dense"
          >
            {text}
          </Button>
        ))}
      </fieldset>
    </form>
  )
}

function faultOf(at: number | null, now: number): string | undefined {
  if (at === null) return 'Enter a date and a time'
  if (at > now) return 'That is still to come'
  return at < now - SHIFT_DAYS * 24 * HOUR ? `At most ${SHIFT_DAYS} days back` : undefined
}

const NOTHING = createStore(undefined)

/** What is open now and came up before the time that is summed up; what was found late since is new. */
function useOpenFromBefore({ opened, since }: ShiftSummary): Incident[] {
  const live = useStore(useRoot().live ?? NOTHING)
  const known: Desk | undefined = useStore(live?.desk.known ?? NOTHING)
  const isNew = new Set(opened.map(({ violationId }) => violationId))
  return (known?.open ?? []).filter(
    ({ violationId, openedAt }) => openedAt < since && !isNew.has(violationId),
  )
}

function Summary({ summary }: { summary: ShiftSummary }) {
  const fleet = useFleetItself()
  const { opened, ended, counts, actions, changes, hasMoreChanges, loads } = summary
  const before = useOpenFromBefore(summary)
  const isQuiet =
    opened.length + ended.length + actions.length + before.length + loads.length === 0 &&
    (changes === null || changes.length === 0)
  if (isQuiet)
    return (
      <Panel>
        <EmptyState title="Nothing happened" icon={<Check size={22} aria-hidden />}>
          No violation came up, no device was lost, no load is at risk, and nobody did anything about one.
        </EmptyState>
      </Panel>
    )
  const lasts = worstFirst(
    fleet,
    opened.filter(({ clearedAt }) => clearedAt === null),
  )
  const over = opened.filter(({ clearedAt }) => clearedAt !== null)
  const { stillOpen, stillLost, lost } = counts
  return (
    <>
      <p role="status" className="font-semibold text-body first-letter:uppercase">
        {`${countWords(counts)}${before.length === 0 ? '' : `; ${formatCount(before.length)} from before still open`}.`}
      </p>
      <IncidentsPanel title="New, still open" incidents={lasts} count={stillOpen + stillLost}>
        Nothing that came up since is still open.
      </IncidentsPanel>
      {before.length > 0 && (
        <IncidentsPanel
          title="From before, still open"
          incidents={worstFirst(fleet, before)}
          count={before.length}
        >
          Nothing that was open then still is.
        </IncidentsPanel>
      )}
      <div className="grid items-start gap-4 desk:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-4">
          <IncidentsPanel
            title="New, over already"
            incidents={over}
            count={counts.opened - stillOpen + lost - stillLost}
          >
            Nothing came up since and is over.
          </IncidentsPanel>
          <IncidentsPanel title="From before, over now" incidents={ended} count={counts.ended}>
            Nothing that was open then is over.
          </IncidentsPanel>
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          {loads.length > 0 && (
            <LoadsPanel loads={loads} count={counts.loads} until={Date.parse(summary.until)} />
          )}
          <ActionsPanel actions={actions} count={counts.actions} />
          {changes && <ChangesPanel changes={changes} hasMore={hasMoreChanges} />}
        </div>
      </div>
    </>
  )
}
