import type { LinkStatus } from '../../actors/link-status.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

export type NoFleetProps = { hindrance: NonNullable<LinkStatus['hindrance']>; onRetry: () => void }

/** The devices have not come yet: why, and that they will. */
export function NoFleet({ hindrance, onRetry }: NoFleetProps) {
  if (hindrance === 'no-network')
    return (
      <ErrorState title="There is no network">The devices come as soon as there is one again.</ErrorState>
    )
  if (hindrance === 'outdated')
    return (
      <ErrorState title="There is a new version">The devices come once this page is loaded anew.</ErrorState>
    )
  if (hindrance === 'crowded')
    return (
      <ErrorState
        title="Too many windows of yours are open"
        action={<Button onPress={onRetry}>Try again</Button>}
      >
        Close some of them, then try again.
      </ErrorState>
    )
  const isRefused = hindrance === 'no-answer'
  return (
    <ErrorState
      title={isRefused ? 'The devices could not be loaded' : 'No answer from the server'}
      action={<Button onPress={onRetry}>Try again</Button>}
    >
      {isRefused
        ? 'They are asked for again every few seconds.'
        : 'The devices come as soon as it can be reached.'}
    </ErrorState>
  )
}
