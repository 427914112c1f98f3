import { useEffect } from 'react'
import { Panel } from '../../layout/page.tsx'
import { Progress } from '../../ui/progress.tsx'

const ASK_AGAIN_MS = 2_000

export type PastPendingProps = {
  pending: { done: number; of: number }
  /** the next answer is on its way */
  isLoading: boolean
  onRefresh: () => void
}

/** In place of totals while the past is still being evaluated, as they would be too low: how far that is. Asks again by itself. */
export function PastPending({ pending: { done, of }, isLoading, onRefresh }: PastPendingProps) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: each answer, and each that did not come, is followed by one more question
  useEffect(() => {
    if (isLoading) return
    const timer = setTimeout(onRefresh, ASK_AGAIN_MS)
    return () => clearTimeout(timer)
  }, [isLoading])
  return (
    <Panel className="p-4">
      <Progress aria-label="Evaluation of the past" value={done} max={of} className="flex flex-col gap-2">
        {(percent) => (
          <p className="tabular">
            {`The past is still being evaluated: ${percent} %. The counts are shown when it is through.`}
          </p>
        )}
      </Progress>
    </Panel>
  )
}
