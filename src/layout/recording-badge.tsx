import { Circle, Square } from 'lucide-react'
import { useEffect, useState } from 'react'
import { counted } from '#machines/rules/figures.ts'
import { dropRecording, saveRecording } from '../actors/recording.ts'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/button.tsx'

/** Says on every page that it is being recorded, how much there is by now, and ends it. */
export default function RecordingBadge() {
  const root = useRoot()
  const recorder = useStore(root.recorder)
  const [, setNow] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setNow((n) => n + 1), 500)
    return () => clearInterval(timer)
  }, [])
  if (recorder === undefined) return null
  const { steps, dropped, lasted } = recorder
  const seconds = Math.floor(lasted / 1000)
  return (
    <section
      aria-label="Recording"
      className="fixed bottom-3 left-1/2 z-40 flex -translate-x-1/2 items-center gap-3 rounded-panel bg-raised py-1 pr-1 pl-4 shadow-soft"
    >
      <Circle size={12} aria-hidden className="shrink-0 animate-breathe fill-error text-error" />
      <p className="tabular whitespace-nowrap text-dense">
        <span className="max-tablet:sr-only">Recording </span>
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')} · {counted(steps, 'step')}
        {dropped > 0 && <span className="text-caution"> · {formatCount(dropped)} dropped</span>}
      </p>
      <div className="flex items-center gap-1">
        <Button kind="primary" onPress={() => saveRecording(root)}>
          <Square size={12} aria-hidden className="fill-current" />
          <span>
            Save<span className="max-tablet:sr-only"> Recording</span>
          </span>
        </Button>
        <Button kind="quiet" onPress={() => dropRecording(root)}>
          Discard
        </Button>
      </div>
    </section>
  )
}
