import { useSelector } from '@xstate/react'
import { ChevronLeft, ChevronRight, History, Link2, Pause, Play, SlidersHorizontal, X } from 'lucide-react'
import { useState } from 'react'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import type { AsOfOverview } from '#machines/contracts/calls/as-of-calls.ts'
import { SPEEDS, type Speed } from '#machines/time-machine/time-machine.machine.ts'
import { copyFor } from '../../actors/copy-for.ts'
import type { TimeMachine } from '../../actors/root.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { spokenTime } from '../../format/spoken-time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Switch } from '../../ui/switch.tsx'
import { Tooltip } from '../../ui/tooltip.tsx'
import { pastLink } from './past-path.ts'
import { PastSlider } from './past-slider.tsx'
import { PastWords } from './past-words.tsx'
import { useEventsAround } from './use-events-around.ts'
import { usePastKeys } from './use-past-keys.ts'

const VIEWS: readonly { id: AsOfView; text: string }[] = [
  { id: 'then', text: 'As known then' },
  { id: 'now', text: 'As known now' },
]
const RATES = SPEEDS.map((speed) => ({ id: String(speed), text: `×${speed}` }))

/** Under the header while one looks back: what one sees, and the ways through it and out of it. */
export default function PastBar({ past }: { past: TimeMachine }) {
  const { actor } = past
  const overview = useStore(past.overview)
  const hasFailed = useSelector(actor, (state) => state.matches({ past: 'failed' }))
  const { goToEvent, nothing } = useEventsAround(past)
  const [isOpen, setOpen] = useState(false)
  // on a phone the page needs the room
  const optional = isOpen ? 'flex' : 'hidden tablet:flex'
  usePastKeys(past)
  return (
    <section aria-label="Looking back" className="shrink-0 bg-caution-soft px-3 py-1 desk:px-4 print:hidden">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <History size={18} aria-hidden className="shrink-0 text-caution" />
        <p
          role="status"
          className="tabular min-w-0 flex-1 font-medium text-caution max-tablet:text-dense max-tablet:leading-tight tablet:basis-52"
        >
          <PastWords past={past} />
        </p>
        <CopyLink past={past} />
        <Tooltip text="Esc">
          <Button
            className="desk:order-last"
            aria-label="Back to now"
            onPress={() => actor.send({ type: 'leave' })}
          >
            <X size={16} aria-hidden />
            <span className="hidden tablet:inline">Back to now</span>
          </Button>
        </Tooltip>
        <div className={classNames(optional, 'flex-wrap items-center gap-x-3')}>
          <View past={past} />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-1">
        <Tooltip text="Event before">
          <IconButton aria-label="Event before" onPress={() => void goToEvent('before')}>
            <ChevronLeft size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <PlayButton past={past} />
        <Tooltip text="Event after">
          <IconButton aria-label="Event after" onPress={() => void goToEvent('after')}>
            <ChevronRight size={18} aria-hidden />
          </IconButton>
        </Tooltip>
        <div className={optional}>
          <Rate past={past} />
        </div>
        <div className="min-w-32 flex-1 px-2 tablet:min-w-48">
          {overview?.from && <Minutes past={past} overview={overview} />}
        </div>
        <IconButton
          className="tablet:hidden"
          aria-label="View and speed"
          aria-expanded={isOpen}
          onPress={() => setOpen(!isOpen)}
        >
          <SlidersHorizontal size={18} aria-hidden />
        </IconButton>
      </div>
      {hasFailed && <Failure past={past} />}
      {nothing !== undefined && (
        <p role="alert" className="text-dense text-ink-soft">
          {nothing}
        </p>
      )}
    </section>
  )
}

function CopyLink({ past: { actor } }: { past: TimeMachine }) {
  const root = useRoot()
  const copy = (): void => {
    // the address itself waits while it plays
    const { at, view } = actor.getSnapshot().context
    const link = pastLink(location.pathname, at, view, location.search)
    void copyFor(root, link, `Link to ${spokenTime(at)} copied`)
  }
  return (
    <Tooltip text="Copy a link to this page at this time">
      <IconButton aria-label="Copy link" onPress={copy}>
        <Link2 size={18} aria-hidden />
      </IconButton>
    </Tooltip>
  )
}

function View({ past: { actor } }: { past: TimeMachine }) {
  const view = useSelector(actor, ({ context }) => context.view)
  const isDifferencesOnly = useSelector(actor, ({ context }) => context.isDifferencesOnly)
  return (
    <>
      <Segments
        label="View"
        isLabelHidden
        isRow
        options={VIEWS}
        value={isDifferencesOnly ? null : view}
        onChange={(id) => actor.send({ type: 'view.choose', view: id })}
      />
      <Switch
        label="Differences only"
        isOn={isDifferencesOnly}
        onChange={() => actor.send({ type: 'differences.toggle' })}
      />
    </>
  )
}

function Rate({ past: { actor } }: { past: TimeMachine }) {
  const speed = useSelector(actor, ({ context }) => context.speed)
  return (
    <Segments
      label="Speed"
      isLabelHidden
      isRow
      options={RATES}
      value={String(speed)}
      onChange={(id) => actor.send({ type: 'speed.choose', speed: Number(id) as Speed })}
    />
  )
}

function PlayButton({ past: { actor } }: { past: TimeMachine }) {
  const isPlaying = useSelector(actor, (state) => state.matches({ past: 'playing' }))
  const isStanding = useSelector(actor, (state) => state.matches({ past: 'standing' }))
  return (
    <IconButton
      aria-label={isPlaying ? 'Pause' : 'Play'}
      onPress={() => actor.send({ type: isPlaying ? 'pause' : 'play' })}
      isDisabled={!isPlaying && !isStanding}
    >
      {isPlaying ? <Pause size={18} aria-hidden /> : <Play size={18} aria-hidden />}
    </IconButton>
  )
}

function Minutes({ past: { actor }, overview }: { past: TimeMachine; overview: AsOfOverview }) {
  const { clock } = useRoot()
  const at = useSelector(actor, ({ context }) => context.at)
  return (
    <PastSlider
      overview={overview}
      at={at}
      now={clock.now()}
      onChange={(to) => actor.send({ type: 'look.back', at: to, now: clock.now() })}
    />
  )
}

function Failure({ past: { actor } }: { past: TimeMachine }) {
  const { at, failure } = useSelector(actor, ({ context }) => context)
  return (
    <p role="alert" className="flex flex-wrap items-center gap-2 text-error">
      {`${spokenTime(at)}: ${failure}.`}
      <Button kind="quiet" onPress={() => actor.send({ type: 'retry' })}>
        Try again
      </Button>
    </p>
  )
}
