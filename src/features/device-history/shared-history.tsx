import { Printer } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useParams } from 'wouter'
import { SHARE_CALLS } from '#machines/contracts/calls/share-calls.ts'
import type { SharedHistory as Shared } from '#machines/contracts/entities/shares.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { setTimeZone, writtenDay, zoneName } from '../../format/time.ts'
import { Mark } from '../../layout/brand.tsx'
import { DamagedNotice } from '../../layout/damaged-notice.tsx'
import { Page } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Time } from '../../ui/time.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import { aroundOf, PROOF_GRID, Proof, Summaries, WaitingProof } from './proof.tsx'

/** `/shared/{token}`: what one device measured in one span, for whoever holds the link. Nobody signs in, nothing is live. */
export default function SharedHistory() {
  const { token = '' } = useParams()
  const { answer, failure, ask } = useKeptAnswer(SHARE_CALLS.shared, { params: { token }, query: {} })
  return (
    <div className="flex min-h-dvh flex-col bg-ground">
      {/* the headers of the page say so too */}
      <meta name="robots" content="noindex, nofollow" />
      <header className="flex items-center gap-2 px-4 pt-4 text-ink-soft desk:px-6">
        <Mark size={20} />
        <span className="font-semibold">Frostline</span>
      </header>
      <main className="flex-1">
        {answer === undefined && <h1 className="sr-only">Shared proof</h1>}
        {answer ? (
          <SharedProof of={answer} />
        ) : failure?.status === 404 ? (
          <EmptyState title="This link leads nowhere">
            It has run out or was ended, or a part of it is missing. Ask who sent it for another one.
          </EmptyState>
        ) : failure ? (
          <ErrorState
            title="What this link shows could not be loaded"
            details={failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          />
        ) : (
          <div className="p-4 desk:p-6">
            <WaitingProof />
          </div>
        )}
      </main>
    </div>
  )
}

function SharedProof({ of: shared }: { of: Shared }) {
  const { company, name, plateNumber, timeZone, history } = shared
  // times are told as those who sent it see them
  useState(() => setTimeZone(timeZone))
  const whole: Range = { from: Date.parse(shared.from), to: Date.parse(shared.to) }
  const [part, setPart] = useState<Range>()
  const range = part ?? whole
  const shown = useMemo(() => (part === undefined ? history : within(history, part)), [history, part])
  return (
    <Page
      title={name}
      description={
        <>
          <p>{[plateNumber, company].filter((words) => words !== '').join(' · ')}</p>
          <p className="tabular">
            <TimeSpan {...whole} /> {zoneName} · as known <Time at={shared.madeAt} />
            <span className="print:hidden">
              {' '}
              · good until <Time at={shared.expiresAt} as={writtenDay} />
            </span>
          </p>
        </>
      }
      actions={
        <div className="flex gap-2 print:hidden">
          {part && (
            <Button kind="quiet" onPress={() => setPart(undefined)}>
              Whole span
            </Button>
          )}
          <Button onPress={() => window.print()}>
            <Printer size={16} aria-hidden />
            Print
          </Button>
        </div>
      }
    >
      <Summaries history={history} range={whole} />
      {history.damaged !== undefined && <DamagedNotice spans={history.damaged} />}
      <div className={PROOF_GRID}>
        <Proof
          history={shown}
          range={range}
          name={name}
          onSpell={(spell) => setPart(clipped(aroundOf(spell), whole))}
        />
      </div>
    </Page>
  )
}

const clipped = (range: Range, whole: Range): Range => ({
  from: Math.max(range.from, whole.from),
  to: Math.min(range.to, whole.to),
})

const within = (history: Shared['history'], { from, to }: Range): Shared['history'] => ({
  ...history,
  points: history.points.filter(({ dateTime }) => {
    const at = Date.parse(dateTime)
    return at >= from && at <= to
  }),
})
