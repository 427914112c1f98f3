import { FastForward, History, Pause, Play, StepForward } from 'lucide-react'
import type { World } from '#machines/director/doings.ts'
import { figure } from '#machines/rules/figures.ts'
import { useDirectorState } from '../../actors/director.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { secondsTime, writtenDay } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock-context.ts'
import { Menu, MenuItem, MenuTrigger } from '../../ui/menu.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Time } from '../../ui/time.tsx'
import { JourneyProgress } from './journey-progress.tsx'
import { NextIncident } from './next-incident.tsx'
import { RefusalIn } from './refusal.tsx'
import { useDoing } from './use-doing.ts'
import { SPEEDS } from './words.ts'

/** Steps one can take, s. */
const STEPS = [
  { seconds: 60, text: '1 minute on' },
  { seconds: 600, text: '10 minutes on' },
  { seconds: 3600, text: '1 hour on' },
  { seconds: 6 * 3600, text: '6 hours on' },
  { seconds: 86_400, text: '1 day on' },
]

/** What time it is in the world, how fast it passes, and where to go from here. */
export function ClockPart({ world: { status } }: { world: World }) {
  const { act, isDoing } = useDoing()
  const isTravelling = useDirectorState().matches('travelling')
  return (
    <section aria-label="Clock" className="flex flex-col gap-3 px-4 pb-3">
      <WorldTime />
      {isTravelling ? (
        <JourneyProgress status={status} />
      ) : (
        <>
          <div className="flex gap-2">
            <Button
              className="flex-1"
              isPending={isDoing('pause') || isDoing('run')}
              onPress={() => act({ kind: status.paused ? 'run' : 'pause' })}
            >
              {status.paused ? <Play size={16} aria-hidden /> : <Pause size={16} aria-hidden />}
              {status.paused ? 'Run' : 'Pause'}
            </Button>
            <MenuTrigger>
              <Button className="flex-1">
                <StepForward size={16} aria-hidden />
                Step
              </Button>
              <Menu aria-label="Step" onAction={(key) => act({ kind: 'step', seconds: Number(key) })}>
                {STEPS.map(({ seconds, text }) => (
                  <MenuItem key={seconds} id={String(seconds)}>
                    {text}
                  </MenuItem>
                ))}
              </Menu>
            </MenuTrigger>
          </div>
          <Segments
            label="Speed"
            isLabelHidden
            options={SPEEDS.map((speed) => ({ id: String(speed), text: `×${speed}` }))}
            value={String(status.speed)}
            onChange={(speed) => act({ kind: 'speed', speed: Number(speed) })}
          />
          <Pace speed={status.speed} reached={status.paused ? null : status.reached} />
          <Button onPress={() => act({ kind: 'next-incident' })}>
            <FastForward size={16} aria-hidden />
            Jump to the next incident
          </Button>
          <NextIncident />
          <LookBack />
        </>
      )}
      <RefusalIn part="clock" />
    </section>
  )
}

/** The way to show what the screens said before: the world goes on behind. */
function LookBack() {
  const live = useStore(useRoot().live)
  if (live === undefined) return null
  return (
    <Button onPress={() => void live.lookBack()}>
      <History size={16} aria-hidden />
      Look back
    </Button>
  )
}

function WorldTime() {
  const now = useNow(200)
  return (
    <p className="flex items-baseline gap-3">
      <Time at={now} as={secondsTime} className="font-semibold text-figure" />
      <span className="text-dense text-ink-soft">{writtenDay(now)}</span>
    </p>
  )
}

/** A world may be too large to run as fast as it is told. */
function Pace({ speed, reached }: { speed: number; reached: number | null }) {
  if (reached === null || reached >= speed * 0.8) return null
  return (
    <p className="text-dense text-ink-soft">
      It is as fast as this machine can: ×{reached < 10 ? figure(reached, 1) : Math.round(reached)}.
    </p>
  )
}
