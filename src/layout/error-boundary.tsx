import { Component, type ContextType, type ReactNode } from 'react'
import { notePartMissing } from '../actors/root.ts'
import { RootContext } from '../actors/use-root.ts'
import { asPartMissing, PartMissing } from '../effects/call-failures.ts'
import { buttonLook } from '../ui/button-look.ts'
import { ErrorState } from '../ui/error-state.tsx'

type Props = {
  children: ReactNode
  /** another value puts the children back: the address, so that one broken page leaves the others */
  at?: string
}
type State = { error: unknown; at: string | undefined }

/**
 * Keeps one part's failure from taking the rest with it, and says what failed. A part that did not arrive is a matter of
 * the network: the session says what comes of it.
 */
export class ErrorBoundary extends Component<Props, State> {
  static override contextType = RootContext
  declare context: ContextType<typeof RootContext>
  override state: State = { error: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: asPartMissing(error) ?? new Error('unknown') }
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, error: undefined }
  }

  override componentDidCatch(thrown: unknown): void {
    if (this.context) notePartMissing(this.context, thrown)
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (error instanceof PartMissing) return null
    return (
      <ErrorState
        details={detailsOf(error)}
        action={
          <button type="button" className={buttonLook('primary')} onClick={() => location.reload()}>
            Reload page
          </button>
        }
      >
        This part of the portal could not be shown. The rest still works; reloading usually helps.
      </ErrorState>
    )
  }
}

function detailsOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
