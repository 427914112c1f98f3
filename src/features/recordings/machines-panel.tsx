import type { RecordedStart, RecordedStep } from '#machines/contracts/recording.ts'
import { stateText } from '../../actors/recording/rerun.ts'
import { Panel } from '../../layout/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { WrittenValue } from './written-value.tsx'

type Props = { machines: readonly RecordedStart[]; step: RecordedStep | undefined }

/** Every machine that runs: where it is, what it knows, and what of that the step has changed. */
export function MachinesPanel({ machines, step }: Props) {
  return (
    <Panel title="Machines">
      {machines.length === 0 ? (
        <p className="px-4 pb-4 text-ink-soft">None runs here.</p>
      ) : (
        <ul className="pb-2">
          {machines.map((machine) => (
            <li key={machine.actor} className="border-line border-t">
              <Machine machine={machine} step={step} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

function Machine({ machine, step }: { machine: RecordedStart; step: RecordedStep | undefined }) {
  const isThis = step?.kind === 'event' && step.actor === machine.actor
  const changed = isThis ? new Set(Object.keys(step.context)) : new Set<string>()
  const keys = Object.keys(machine.context)
  return (
    // Another key, so that the one the step is about opens by itself.
    <details key={String(isThis)} open={isThis}>
      <summary className="flex min-h-row cursor-pointer flex-wrap items-center gap-x-3 px-4 py-1 hover:bg-hover">
        <span className="font-medium">{machine.machine}</span>
        <span className="text-ink-soft">{stateText(machine.state)}</span>
        {isThis && <Badge>this step</Badge>}
      </summary>
      <dl className="flex flex-col gap-2 px-4 pt-1 pb-3">
        {keys.length === 0 && <dt className="text-dense text-ink-faint">It knows nothing.</dt>}
        {keys.map((key) => (
          <div key={key}>
            <dt className="pb-1 text-dense">
              {key} {changed.has(key) && <span className="font-medium text-accent-strong">changed</span>}
            </dt>
            <dd>
              <WrittenValue value={machine.context[key]} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
