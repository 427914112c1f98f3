import { useEffect, useEffectEvent } from 'react'
import type { World } from '#machines/director/doings.ts'
import type { MomentOutcome } from '#machines/director/moment.ts'
import { directorOf, useDirectorState } from '../../actors/director.ts'
import { useRoot } from '../../actors/use-root.ts'
import { worldTime } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { Sheet, Stay } from './moment-sheet.tsx'
import { RefusalIn } from './refusal.tsx'
import { ScenarioLinks } from './scenario-links.tsx'

type MomentOutcomeProps = {
  world: World
  outcome: MomentOutcome
  /** the world goes on to the moment by itself, once */
  setsOut: boolean
  /** it went, or was to: what keeps it from there is left to the visitor */
  hasSetOut: boolean
  onSetOut: () => void
  onLeave: () => void
}

/** What becomes of the moment in this world: the world is there, goes there, is asked about, or cannot. */
export function MomentOutcomePart({
  world,
  outcome,
  setsOut,
  hasSetOut,
  onSetOut,
  onLeave,
}: MomentOutcomeProps) {
  const { actor } = directorOf(useRoot())
  const { refusal } = useDirectorState().context
  const isThere = outcome.kind === 'there'
  const setOut = useEffectEvent(() => {
    if (outcome.kind !== 'ahead') return
    onSetOut()
    actor.send({ type: 'act', doing: { kind: 'step', seconds: outcome.seconds } })
  })
  const goesOn = outcome.kind === 'ahead' && setsOut
  useEffect(() => {
    if (isThere) onLeave()
    else if (goesOn) setOut()
  }, [isThere, goesOn, onLeave])

  if (outcome.kind === 'wrong')
    return (
      <Sheet title="This moment cannot be opened">
        <ul className="flex flex-col gap-1">
          {outcome.faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
        <ScenarioLinks scenarios={world.scenarios} />
        <Stay onStay={onLeave} />
      </Sheet>
    )
  if (outcome.kind !== 'elsewhere')
    return (
      <Sheet title={`Opening ${world.status.scenario}`}>
        <RefusalIn part="clock" />
        {(refusal !== null || hasSetOut) && <Stay onStay={onLeave} />}
      </Sheet>
    )
  const done = world.actions.filter(({ undoneAt }) => undoneAt === null).length
  return (
    <Sheet title={`Open ${outcome.title}?`}>
      <p>
        It is taken to <Time at={outcome.at} as={worldTime} />
        {outcome.opening.seed !== undefined && `, with the seed ${outcome.opening.seed}`}.
      </p>
      <p className="text-ink-soft">
        The world that runs now, {world.status.scenario}, is gone then
        {done > 0 && `, with the ${done === 1 ? 'one thing' : `${done} things`} done in it`}, and everybody is
        signed out.
      </p>
      <RefusalIn part="scenario" />
      <div className="flex flex-wrap gap-2">
        <Button
          kind="primary"
          autoFocus
          onPress={() => {
            onSetOut()
            actor.send({ type: 'act', doing: { kind: 'open', ...outcome.opening } })
          }}
        >
          Open it
        </Button>
        <Stay onStay={onLeave} />
      </div>
    </Sheet>
  )
}
