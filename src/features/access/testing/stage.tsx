import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { HandOff, Session } from '#machines/session/session.ts'
import { startRoot } from '../../../actors/root.ts'
import { createStore } from '../../../actors/store.ts'
import { RootContext } from '../../../actors/use-root.ts'
import '../../../styles/tokens.css'

/** What a server answers: a status and a body; `hang`: nothing, for as long as the test lasts. */
export type Answer = { status?: number; body: unknown } | 'hang'
/** By method and path, without `/api`. What is not named answers 404. */
export type Server = Record<string, Answer | ((body: unknown) => Answer)>

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
  const asked: { call: string; body: unknown; headers: Headers }[] = []
  const told: string[] = []
  const opened: string[] = []
  const stored: (Session | string | null)[] = []
  const location = memoryLocation({ path: at, record: true })
  const root = startRoot({
    baseUrl: '',
    async fetch(input, init) {
      const { pathname } = new URL(String(input), 'http://portal')
      const call = `${init?.method ?? 'GET'} ${pathname.replace('/api', '')}`
      const body = init?.body === undefined ? undefined : JSON.parse(String(init.body))
      if (call !== 'GET /time') asked.push({ call, body, headers: new Headers(init?.headers) })
      const known = call === 'GET /time' ? { body: TIME } : server[call]
      const answer = typeof known === 'function' ? known(body) : known
      if (answer === 'hang') return new Promise<Response>(() => {})
      const { status = 200, body: said } = answer ?? {
        status: 404,
        body: { code: 404, message: 'Not found' },
      }
      return new Response(JSON.stringify(said), { status })
    },
    storage: {
      remembered: () => session,
      remember: (given) => void stored.push(given),
      rememberGroup: () => {},
      rememberReset: (token) => void stored.push(token),
      rememberedReset: () => reset,
      forget: () => void stored.push(null),
      onForgottenElsewhere: () => () => {},
      onStoredElsewhere: () => () => {},
    },
    tabs: { isShared: true, hold: (_name, _signal, work) => work() },
    clock: { now: () => 0, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY },
    toasts: {
      success: (message) => void told.push(message),
      error: (message) => void told.push(message),
      info: (message) => void told.push(message),
    },
    preferences: createStore({ theme: 'system' as const, unfolded: {} }),
    goTo: (path) => location.navigate(path),
    reload: () => void opened.push('reload'),
    open: (path) => void opened.push(path),
    openNetworkError: () => location.navigate('/error'),
    onReturn: () => {},
    handOff,
    loadLive: () => new Promise(() => {}),
    download: () => {},
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

const TIME = { now: 0, simulator: false, timeZone: 'Asia/Karachi' }
