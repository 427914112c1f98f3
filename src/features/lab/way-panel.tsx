import { Pause, Play, RotateCcw, StepForward } from 'lucide-react'
import type { BrowserRun } from '../../actors/lab.ts'
import type { Pick } from '../../machine-chart/chart-svg.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { BrowserWalk } from './browser-walk.tsx'
import { dataOf } from './event-data.ts'
import type { Walked } from './models.ts'
import type { Source } from './sources.ts'
import type { Play as Played } from './use-play.ts'

type Props = {
  pick: Pick
  walked: Walked
  sources: readonly Source[]
  sentences: readonly string[]
  play: Played
  browser: BrowserRun
}

/** The shortest path to what was picked: told, played on the machine here, or walked in a browser. */
export function WayPanel({ pick, walked, sources, sentences, play, browser }: Props) {
  const { shots, isPlaying, isOver, failure } = play
  const last = shots.at(-1)
  return (
    <section aria-labelledby="way" className="flex flex-col gap-3 rounded-panel bg-surface p-4 shadow-soft">
      <div>
        <h2 id="way" className="break-words font-semibold">
          {pick.kind === 'state' ? `State ${pick.name}` : pick.name}
        </h2>
        <CoverageLine pick={pick} walked={walked} sources={sources} />
      </div>
      <div>
        <h3 className="text-dense text-ink-faint">
          Shortest path, {sentences.length - 1} {sentences.length === 2 ? 'step' : 'steps'} from the start
        </h3>
        <ol className="mt-1 max-h-64 overflow-auto">
          {sentences.map((sentence, at) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a path may say the same twice
              key={at}
              aria-current={at === shots.length - 1 ? 'step' : undefined}
              className={classNames(
                'border-l-2 py-1 pl-3',
                at === shots.length - 1 ? 'border-accent bg-accent-soft' : 'border-line',
                at >= shots.length && shots.length > 0 && 'text-ink-faint',
              )}
            >
              {sentence}
            </li>
          ))}
        </ol>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" onPress={isPlaying ? play.pause : play.run}>
          {isPlaying ? <Pause size={16} aria-hidden /> : <Play size={16} aria-hidden />}
          {isPlaying ? 'Pause' : isOver ? 'Run again' : 'Run'}
        </Button>
        <Button onPress={play.step} isDisabled={isPlaying || isOver}>
          <StepForward size={16} aria-hidden />
          Step
        </Button>
        <Button kind="quiet" onPress={play.reset} isDisabled={shots.length === 0}>
          <RotateCcw size={16} aria-hidden />
          Reset
        </Button>
      </div>
      <div role="status" className="text-dense">
        {failure !== undefined && <p className="text-error">The machine did not follow: {failure}</p>}
        {last && (
          <>
            <p className="text-ink-soft">
              {isOver ? 'Arrived. ' : ''}Took{' '}
              {last.takes.length === 0 ? 'no transition' : last.takes.join(', then ')}.
            </p>
            <Data title="Event" data={last.event} />
            <Data title="Context after it" data={last.context} />
          </>
        )}
      </div>
      {pick.kind === 'transition' && (
        <BrowserWalk name={walked.model.name} transition={pick.name} browser={browser} />
      )}
    </section>
  )
}

function CoverageLine({ pick, walked, sources }: { pick: Pick; walked: Walked; sources: readonly Source[] }) {
  const kind = pick.kind === 'state' ? 'states' : 'transitions'
  const words = sources.map(({ of, words: by }) => {
    const taken = of(walked)
    if (taken === undefined) return `not seen by ${by}`
    return `${(taken[kind][pick.name] ?? 0) > 0 ? 'covered' : 'not covered'} by ${by}`
  })
  const list = words.join(', ')
  return <p className="text-dense text-ink-soft first-letter:uppercase">{list}.</p>
}

function Data({ title, data }: { title: string; data: unknown }) {
  return (
    <details className="mt-1">
      <summary className="cursor-pointer text-ink-soft">{title}</summary>
      <pre className="mt-1 max-h-48 overflow-auto rounded-small bg-sunken p-2 whitespace-pre-wrap break-words">
        {dataOf(data)}
      </pre>
    </details>
  )
}
