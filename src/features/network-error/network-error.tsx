import { useState } from 'react'
import { type Infer, type as open, optional, pattern, string } from 'superstruct'
import { useHistoryState } from 'wouter/use-browser-location'
import { decode } from '#machines/contracts/decode.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** `from`: the page that got no answer, an address of the portal */
const State = open({ detail: optional(string()), from: optional(pattern(string(), /^\/(?!\/)/)) })

/** The server gave no answer. What failed stands behind Details; Reload Page goes back to where one was. */
export default function NetworkError() {
  const [areDetailsShown, setDetailsShown] = useState(false)
  const { detail = 'No details are known.', from = '/' } = stateOf(useHistoryState())
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
            <Button kind="primary" onPress={() => location.replace(from)}>
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

function stateOf(state: unknown): Infer<typeof State> {
  try {
    return decode(state ?? {}, State, 'history state')
  } catch {
    return {}
  }
}
