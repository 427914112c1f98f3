import type { SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { directorOf, useDirectorState } from '../../actors/director.ts'
import { useRoot } from '../../actors/use-root.ts'
import { secondsTime, worldTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { Progress } from '../../ui/progress.tsx'

type Props = {
  status: SimStatus
  /** what the button says */
  stop?: string
  onStop?: () => void
}

/** The world on its way: from when to when, how far it is, and a way to stop it there. */
export function JourneyProgress({ status: { journey }, stop = 'Stop here', onStop }: Props) {
  const { actor } = directorOf(useRoot())
  const state = useDirectorState()
  const { doing } = state.context
  const isStopping = state.matches({ travelling: 'stopping' }) || state.matches({ travelling: 'stopped' })
  const isSearching = doing?.kind === 'next-incident'
  const share = journey === null ? 0 : shareOf(journey)
  const percent = Math.floor(share * 100)
  return (
    <div className="flex flex-col gap-2 rounded-small bg-sunken p-3">
      <p role="status" className="tabular flex gap-2 text-dense">
        <span className="min-w-0 flex-1">{wordsOf(journey, doing?.kind)}</span>
        {journey !== null && !isSearching && <span className="font-semibold">{percent} %</span>}
      </p>
      <Progress
        aria-label="The world on its way"
        value={journey === null || isSearching ? undefined : share * 100}
      />
      <Button
        isPending={isStopping}
        isDisabled={journey === null}
        onPress={() => {
          actor.send({ type: 'stop' })
          onStop?.()
        }}
      >
        {isStopping ? 'Stopping…' : stop}
      </Button>
    </div>
  )
}

function wordsOf(journey: SimStatus['journey'], kind: string | undefined): string {
  if (journey === null)
    return kind === 'open' || kind === 'start-over' ? 'Building the world…' : 'Setting out…'
  const at = worldTime(journey.at)
  if (kind === 'next-incident') return `Looking for an incident: ${at}`
  return `${at}, on the way to ${secondsTime(journey.to)}`
}

function shareOf({ from, to, at }: NonNullable<SimStatus['journey']>): number {
  return to <= from ? 1 : Math.max(0, Math.min(1, (at - from) / (to - from)))
}
