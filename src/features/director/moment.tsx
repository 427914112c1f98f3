import { useEffect, useState } from 'react'
import type { World } from '#machines/director/doings.ts'
import { type MomentOutcome, outcomeOfMoment } from '#machines/director/moment.ts'
import { directorOf, useDirector, useDirectorState } from '../../actors/director.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { JourneyProgress } from './journey-progress.tsx'
import { MomentOutcomePart } from './moment-outcome.tsx'
import { Sheet, Stay } from './moment-sheet.tsx'
import { TokenForm } from './token-form.tsx'

/** An address asked for a moment of a scenario: the world is taken there, then the page of the address is shown. */
export default function Moment() {
  const root = useRoot()
  const { moment } = useStore(root.director)
  useDirector()
  const state = useDirectorState()
  const { world, isLookDue, refusal, error } = state.context
  const query = moment?.query ?? ''
  const leave = directorOf(root).leaveMoment
  const isWatching = state.matches('watching')
  const [isCancelled, setCancelled] = useState(false)
  const [hasSetOut, setSetOut] = useState(false)
  // Not before the journey has ended: nobody would wait for its end any more.
  useEffect(() => {
    if (isCancelled && isWatching) leave()
  }, [isCancelled, isWatching, leave])
  if (state.matches('locked'))
    return (
      <Sheet title="Opening a moment">
        <TokenForm />
        <Stay onStay={leave} />
      </Sheet>
    )
  // Until it was looked at after its journey, the world is not known well enough to say what becomes of the moment.
  if ((state.matches('travelling') || (isWatching && isLookDue)) && world !== null)
    return (
      <Sheet title={`Opening ${titleOf(outcomeOfMoment(query, world), world)}`}>
        <JourneyProgress status={world.status} stop="Cancel" onStop={() => setCancelled(true)} />
      </Sheet>
    )
  if (state.matches({ watching: 'failed' }))
    return (
      <Sheet title="The world does not answer">
        <p className="text-ink-soft">{error}. It is asked again every few seconds.</p>
        <Stay onStay={leave} />
      </Sheet>
    )
  if (world === null)
    return (
      <Sheet title="Opening a moment">
        <div role="status" aria-label="Loading">
          <Skeleton className="h-8" />
        </div>
      </Sheet>
    )
  return (
    <MomentOutcomePart
      world={world}
      outcome={outcomeOfMoment(query, world, hasSetOut && isWatching && refusal === null)}
      setsOut={!hasSetOut && !isCancelled && isWatching}
      hasSetOut={hasSetOut}
      onSetOut={() => setSetOut(true)}
      onLeave={leave}
    />
  )
}

function titleOf(outcome: MomentOutcome, { status }: World): string {
  return outcome.kind === 'elsewhere' ? outcome.title : status.scenario
}
