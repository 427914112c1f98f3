import type { RecordedStep } from '#machines/contracts/recording.ts'
import { wordsOf } from '../../actors/recording/step-words.ts'
import { formatCount } from '../../format/numbers.ts'
import { Panel } from '../../layout/page.tsx'
import { WrittenValue } from './written-value.tsx'

type Props = { step: RecordedStep | undefined; differs: string | undefined }

/** The step it stands at: what it was, in words and as it was written. */
export function StepPanel({ step, differs }: Props) {
  if (step === undefined)
    return (
      <Panel title="Before the first step">
        <p className="px-4 pb-4 text-ink-soft">
          So it was when the recording begins. → takes the first step.
        </p>
      </Panel>
    )
  const { who, what } = wordsOf(step)
  return (
    <Panel title={who}>
      <div className="flex flex-col gap-3 px-4 pb-4">
        <p>{what}</p>
        {differs !== undefined && (
          <p role="status" className="rounded-small bg-error-soft px-3 py-2 text-error">
            Here it differs. {differs}
          </p>
        )}
        {step.kind === 'event' && step.transitions.length > 0 && (
          <ul aria-label="Transitions taken" className="flex flex-col gap-1 text-dense text-ink-soft">
            {step.transitions.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
        <Detail step={step} />
      </div>
    </Panel>
  )
}

function Detail({ step }: { step: RecordedStep }) {
  switch (step.kind) {
    case 'event':
      return <WrittenValue value={step.event} />
    case 'message':
      return <WrittenValue value={step.data} />
    case 'bytes':
    case 'fleet':
      return (
        <p className="text-dense text-ink-faint">
          {formatCount(Math.round((step.data.length * 3) / 4))} bytes, read into the fleet as the portal does.
        </p>
      )
    default:
      return null
  }
}
