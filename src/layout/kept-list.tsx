import type { ReactNode } from 'react'
import type { Failure } from '../actors/failure-words.ts'
import { Button } from '../ui/button.tsx'
import { ErrorState } from '../ui/error-state.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

export type KeptListProps = {
  /** what is listed, as a sentence begins: 'The users' */
  what: string
  /** 'This list' where left out */
  itself?: string
  /** there is something to show, of now or of before */
  isThere: boolean
  /** why the last try brought none */
  failure: Failure | null
  onRetry: () => void
  /** rows to wait with */
  skeletonRows?: number
  /** the list, once it is there */
  children: () => ReactNode
}

/** Around a list that is asked for and kept: waiting, failed, or shown, with word of it where it may be out of date. */
export function KeptList(props: KeptListProps) {
  const { what, itself = 'This list', isThere, failure, onRetry, skeletonRows = 12, children } = props
  if (!isThere)
    return failure ? (
      <ErrorState
        title={`${what} could not be loaded`}
        details={failure.message}
        action={<Button onPress={onRetry}>Try again</Button>}
      />
    ) : (
      <SkeletonRows rows={skeletonRows} className="px-1" />
    )
  return (
    <>
      {failure && <OutOfDate what={itself} onRetry={onRetry} />}
      {children()}
    </>
  )
}

/** Said beside what stays shown though a later try brought nothing. `what`: it, as a sentence begins. */
export function OutOfDate({ what, onRetry }: { what: string; onRetry: () => void }) {
  return (
    <p role="status" className="flex items-center gap-2 px-4 text-dense text-ink-soft">
      <span>{what} could not be brought up to date.</span>
      <Button kind="quiet" onPress={onRetry} className="print:hidden">
        Try again
      </Button>
    </p>
  )
}
