import { Component, type ReactNode } from 'react'
import { buttonLook } from '../ui/button-look.ts'
import { ErrorState } from '../ui/error-state.tsx'

type Props = {
  children: ReactNode
  /** another value puts the children back: the address, so that one broken page leaves the others */
  at?: string
}
type State = { error: unknown; at: string | undefined }

/** Keeps one part's failure from taking the rest with it, and says what failed. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('unknown') }
  }

  static getDerivedStateFromProps({ at }: Props, state: State): Partial<State> | null {
    return at === state.at ? null : { at, error: undefined }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
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
