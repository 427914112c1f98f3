import { LIMITS_TRIAL_CALLS } from '#machines/contracts/calls/limits-trial-calls.ts'
import type { LimitsTrial } from '#machines/contracts/entities/limits-trials.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import { candidateWords } from './candidates.ts'

/** What was tried lately for the group, and is kept: each has an address of its own. */
export function EarlierTrials(props: { groupId: string; isDisabled: boolean; onOpen: (id: string) => void }) {
  const { groupId, isDisabled, onOpen } = props
  const { answer } = useKeptAnswer(
    LIMITS_TRIAL_CALLS.limitsTrials,
    { params: { groupId } },
    { isBackground: true },
  )
  const open = answer?.filter(({ state }) => state === 'done' || state === 'running') ?? []
  if (open.length === 0) return null
  return (
    <Panel title="Tried lately">
      <ul aria-label="Tried lately" className="flex flex-col pb-2">
        {open.map((trial) => (
          <li
            key={trial._id}
            className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1 hover:bg-hover"
          >
            <span className="min-w-0 flex-1 basis-64">
              <span className="tabular block">
                {trial.candidates.map((candidate) => candidateWords(candidate, trial.quantity)).join(' | ')}
              </span>
              <span className="tabular block text-dense text-ink-soft">
                On <TimeSpan from={trial.from} to={trial.to} />
                {` · ${trial.userName} · `}
                <Time at={trial.startedAt} />
              </span>
            </span>
            <Button
              kind="quiet"
              isDisabled={isDisabled}
              aria-label={`Show what came of ${wordsOf(trial)}`}
              onPress={() => onOpen(trial._id)}
            >
              {trial.state === 'running' ? 'Under way' : 'Show'}
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

const wordsOf = ({ candidates, quantity }: LimitsTrial): string =>
  candidates.map((candidate) => candidateWords(candidate, quantity)).join(', ')
