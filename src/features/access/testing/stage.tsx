import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import type { HandOff, Session } from '#machines/session/session.ts'
import { RootContext } from '../../../actors/use-root.ts'
import { rootOnStage, type Server } from '../../../layout/testing/root-on-stage.ts'
import '../../../styles/tokens.css'

export type Stage = ReturnType<typeof onStage>

/** A page of those before sign-in against a server, at an address; `unmount` when the test is over. */
export function onStage(
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
  const { root, asked, told, location } = rootOnStage(at, server, {
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
    asked,
    told,
    opened,
    stored,
    session: root.session,
    /** addresses gone to, the first included */
    went: () => location.history,
    calls: (call: string) => asked.filter((one) => one.call === call).map(({ body }) => body),
    unmount() {
      root.session.stop()
      view.unmount()
      place.remove()
    },
  }
}
