import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import type { HandOff, Session } from '#machines/session/session.ts'
import { RootContext } from '../../../actors/use-root.ts'
import { type Server, testRoot } from '../../../layout/testing/test-root.ts'
import '../../../styles/tokens.css'

export type AccessHarness = ReturnType<typeof mountAccess>

/** A page of those before sign-in against a server, at an address; `unmount` when the test is over. */
export function mountAccess(
  page: ReactNode,
  {
    at = '/',
    server = {},
    session = null,
    reset = null,
    handOff,
  }: {
    at?: string
    server?: Server
    session?: Session | null
    reset?: string | null
    handOff?: HandOff | null
  } = {},
) {
  const opened: string[] = []
  const stored: (Session | string | null)[] = []
  const { root, requests, toasts, location } = testRoot(at, server, {
    storage: {
      remembered: () => session,
      remember: (given) => void stored.push(given),
      rememberReset: (token) => void stored.push(token),
      rememberedReset: () => reset,
      forget: () => void stored.push(null),
    },
    reload: () => void opened.push('reload'),
    open: (path) => void opened.push(path),
    handOff,
    loadLive: () => new Promise(() => {}),
  })
  const place = document.body.appendChild(document.createElement('div'))
  const view = createRoot(place)
  view.render(
    <StrictMode>
      <RootContext value={root}>
        <Router hook={location.hook} searchHook={location.searchHook}>
          {page}
        </Router>
      </RootContext>
    </StrictMode>,
  )
  return {
    requests,
    toasts,
    opened,
    stored,
    session: root.session,
    /** addresses gone to, the first included */
    went: () => location.history,
    calls: (call: string) => requests.filter((one) => one.call === call).map(({ body }) => body),
    unmount() {
      root.session.stop()
      view.unmount()
      place.remove()
    },
  }
}
