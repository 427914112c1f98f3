import type { ReactNode } from 'react'
import { Panel } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** The first answer is on its way: places for counters and chart. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <>
      <div className="min-h-control" />
      {children}
      <Panel title="Visualization">
        <SkeletonRows rows={12} className="p-2" />
      </Panel>
    </>
  )
}

type LoadFailedProps = { details: string | null; wasShown: boolean; onRetry: () => void }

/** No answer: what to do, and what is still there to be seen. */
export function LoadFailed({ details, wasShown, onRetry }: LoadFailedProps) {
  return (
    <Panel>
      <ErrorState
        title="The violations could not be loaded"
        details={details ?? undefined}
        action={<Button onPress={onRetry}>Try again</Button>}
      >
        {wasShown ? 'Below is what was loaded before.' : undefined}
      </ErrorState>
    </Panel>
  )
}
