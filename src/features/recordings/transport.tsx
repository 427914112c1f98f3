import { ChevronLeft, ChevronRight, Pause, Play, TriangleAlert } from 'lucide-react'
import type { RecordedStep } from '#machines/contracts/recording.ts'
import type { PlayerEvent } from '#machines/recording-player/recording-player.machine.ts'
import type { Checks } from '../../actors/recording-player.ts'
import { formatCount } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { elapsed } from './elapsed.ts'

type Props = {
  steps: readonly RecordedStep[]
  at: number
  speed: number
  isPlaying: boolean
  checks: Checks
  send: (event: PlayerEvent) => void
}

const SPEEDS = [1, 4, 20, 100] as const

/** Forward, back, to any step, or as it went: slower or faster. */
export function Transport({ steps, at, speed, isPlaying, checks, send }: Props) {
  const t = at === 0 ? 0 : (steps[at - 1]?.t ?? 0)
  return (
    <section
      aria-label="Playing"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-panel bg-surface px-3 py-2 shadow-soft"
    >
      <div className="flex items-center gap-1">
        <IconButton
          aria-label="One step back (←)"
          isDisabled={at === 0}
          onPress={() => send({ type: 'step.back' })}
        >
          <ChevronLeft size={18} aria-hidden />
        </IconButton>
        <IconButton
          aria-label={isPlaying ? 'Pause (space)' : 'Play (space)'}
          isDisabled={steps.length === 0}
          onPress={() => send({ type: isPlaying ? 'pause' : 'play' })}
        >
          {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
        </IconButton>
        <IconButton
          aria-label="One step forward (→)"
          isDisabled={at === steps.length}
          onPress={() => send({ type: 'step.forward' })}
        >
          <ChevronRight size={18} aria-hidden />
        </IconButton>
      </div>
      <input
        type="range"
        aria-label="Step"
        aria-valuetext={`${at} of ${steps.length}, after ${elapsed(t)}`}
        min={0}
        max={steps.length}
        value={at}
        onChange={(event) => send({ type: 'jump', to: event.target.valueAsNumber })}
        className="h-control min-w-40 flex-1 accent-accent"
      />
      <output className="tabular min-w-44 text-dense text-ink-soft">
        {formatCount(at)} of {formatCount(steps.length)} · {elapsed(t)}
      </output>
      <fieldset className="flex items-center gap-1">
        <legend className="sr-only">Speed</legend>
        {SPEEDS.map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === speed}
            onClick={() => send({ type: 'speed', speed: each })}
            className={classNames(
              'tabular h-control rounded-small px-2 text-dense',
              each === speed ? 'bg-accent-soft font-medium text-ink' : 'text-ink-soft hover:bg-hover',
            )}
          >
            ×{each}
          </button>
        ))}
      </fieldset>
      <Checked steps={steps.length} at={at} checks={checks} send={send} />
    </section>
  )
}

/** Whether the machines still go the way they went then. */
function Checked({
  steps,
  at,
  checks: { done, differences },
  send,
}: { steps: number } & Pick<Props, 'at' | 'checks' | 'send'>) {
  const places = [...differences.keys()]
  const next = places.find((index) => index >= at) ?? places[0]
  if (done < steps)
    return (
      <span className="tabular text-dense text-ink-faint">
        Checking {formatCount(done)} of {formatCount(steps)}
      </span>
    )
  if (next === undefined) return <span className="text-dense text-ink-faint">Goes the same way today</span>
  return (
    <Button kind="danger" onPress={() => send({ type: 'jump', to: next + 1 })}>
      <TriangleAlert size={16} aria-hidden />
      {formatCount(places.length)} {places.length === 1 ? 'step differs' : 'steps differ'}
    </Button>
  )
}
