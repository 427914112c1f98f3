import { boolean, type Infer, type as open, optional, pattern, string } from 'superstruct'
import { useHistoryState } from 'wouter/use-browser-location'
import { decode } from '#machines/contracts/decode.ts'
import { useReload } from '../../actors/use-reload.ts'
import { NetworkErrorWindow } from './network-error-window.tsx'

/** `from`: the page that got no answer, an address of the portal */
const State = open({
  detail: optional(string()),
  from: optional(pattern(string(), /^\/(?!\/)/)),
  heals: optional(boolean()),
})

/** The server gave no answer. What failed stands behind Details; Reload Page goes back to where one was. */
export function NetworkError() {
  const { detail, from = '/', heals = false } = stateOf(useHistoryState())
  const { state, reload } = useReload(from, heals)
  return (
    <main className="h-dvh bg-ground">
      <NetworkErrorWindow detail={detail} isTrying={state === 'trying'} onReload={reload}>
        {state === 'away'
          ? 'There is still no answer. Check the network, then try again.'
          : heals
            ? "Frostline's server did not answer. The page comes back by itself when it does; what you typed is kept."
            : "Frostline's server did not answer. Check the network; what you typed is kept."}
      </NetworkErrorWindow>
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
