import { useState } from 'react'
import { type as open, optional, string } from 'superstruct'
import { useHistoryState } from 'wouter/use-browser-location'
import { decode } from '#machines/contracts/decode.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

const State = optional(open({ detail: optional(string()) }))

/** The server gave no answer. What failed stands behind Details; Reload Page goes back to where one was. */
export default function NetworkError() {
  const [areDetailsShown, setDetailsShown] = useState(false)
  const detail = detailOf(useHistoryState())
  return (
    <main className="h-dvh bg-ground">
      <Dialog
        title="Network Error, Please Reload Page"
        isOpen
        isRequired
        actions={
          <>
            <Button
              kind="quiet"
              aria-expanded={areDetailsShown}
              onPress={() => setDetailsShown(!areDetailsShown)}
            >
              Details
            </Button>
            <Button kind="primary" onPress={() => history.back()}>
              Reload Page
            </Button>
          </>
        }
      >
        <p className="text-ink-soft">
          Frostline's server did not answer. Check the network; nothing you did is lost.
        </p>
        {areDetailsShown && (
          <pre className="mt-3 max-h-60 overflow-auto rounded-panel bg-sunken p-3 text-dense whitespace-pre-wrap">
            {detail}
          </pre>
        )}
      </Dialog>
    </main>
  )
}

function detailOf(state: unknown): string {
  try {
    return decode(state ?? undefined, State, 'history state')?.detail ?? 'No details are known.'
  } catch {
    return 'No details are known.'
  }
}
