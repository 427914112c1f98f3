import { useMemo } from 'react'
import { LIMITS_TRIAL_CALLS } from '#machines/contracts/calls/limits-trial-calls.ts'
import { counted } from '#machines/rules/figures.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot } from '../../actors/use-root.ts'
import { aboutLasting } from './candidates.ts'

type EstimateProps = { groupId: string; days: number; candidates: number }

const DAY_MS = 86_400_000
/** From here on it is worth a thought, s. */
const LONG = 30

/** How long trying takes about, before it is begun. */
export function Estimate({ groupId, days, candidates }: EstimateProps) {
  const { clock } = useRoot()
  const [startDate, endDate] = useMemo(() => {
    const now = clock.now()
    return [new Date(now - days * DAY_MS).toISOString(), new Date(now).toISOString()] as const
  }, [clock, days])
  const { answer, failure } = useKeptAnswer(
    LIMITS_TRIAL_CALLS.limitsTrialEstimate,
    { params: { groupId }, query: { startDate, endDate, candidates } },
    { isBackground: true },
  )
  if (failure !== null) return <p className="text-ink-soft">How long it takes is not known now.</p>
  if (answer === undefined) return <p className="text-ink-soft">Estimating how long it takes…</p>
  const { readings, seconds } = answer
  const isLong = seconds >= LONG
  return (
    <p role="status" className={isLong ? 'tabular font-medium' : 'tabular text-ink-soft'}>
      {readings === 0
        ? 'Nothing was measured in this time.'
        : `About ${counted(readings, 'reading')}: it takes ${aboutLasting(seconds)}, by an estimate.`}
      {isLong && ' It goes on when you leave this page, and can be cancelled.'}
    </p>
  )
}
