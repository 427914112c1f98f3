import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Subject } from 'rxjs'
import { Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import type { Session } from '#machines/session/session.ts'
import { type Live, startRoot } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { RootContext } from '../../actors/use-root.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { FleetContext } from '../../read-model/use-fleet.ts'
import type { Change } from '../../streams/live-feed.ts'
import '../../styles/tokens.css'

/** What a server answers: a status and a body; `hang`: nothing, for as long as the test lasts. */
export type Answer = { status?: number; body: unknown } | 'hang'
/** By method and path, without `/api`. What is not named answers 404. */
export type Server = Record<
  string,
  Answer | ((body: unknown, headers: Headers, query: URLSearchParams) => Answer)
>

export type PageStage = Awaited<ReturnType<typeof onPageStage>>

/** A page of the shell for somebody signed in, with their fleet, against a server; `unmount` when the test is over. */
export async function onPageStage(
  page: ReactNode,
  { at, server, fleet }: { at: string; server: Server; fleet: Fleet },
) {
  const asked: { call: string; body: unknown; headers: Headers }[] = []
  const told: string[] = []
  const location = memoryLocation({ path: at, record: true })
  const changes$ = new Subject<Change>()
  const live = { fleet, feed: { changes$ }, stop() {} } as unknown as Live
  const root = startRoot({
    baseUrl: '',
    async fetch(input, init) {
      const { pathname, searchParams } = new URL(String(input), 'http://portal')
      const call = `${init?.method ?? 'GET'} ${pathname.replace('/api', '')}`
      const body = bodyOf(init?.body)
      const headers = new Headers(init?.headers)
      asked.push({ call, body, headers })
      const known = call === 'GET /time' ? { body: TIME } : server[call]
      const answer = typeof known === 'function' ? known(body, headers, searchParams) : known
      if (answer === 'hang') return new Promise<Response>(() => {})
      const { status = 200, body: said } = answer ?? {
        status: 404,
        body: { code: 404, message: 'Not found' },
      }
      return new Response(JSON.stringify(said), { status })
    },
    storage: {
      remembered: () => SESSION,
      remember: () => {},
      rememberGroup: () => {},
      rememberReset: () => {},
      rememberedReset: () => null,
      forget: () => {},
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
    reload: () => {},
    open: () => {},
    openNetworkError: () => location.navigate('/error'),
    onReturn: () => {},
    handOff: undefined,
    loadLive: async () => ({ startLive: () => live }),
    download: () => {},
  })
  await new Promise<void>((resolve) => {
    if (root.live.get()) resolve()
    else root.live.subscribe(resolve)
  })
  const place = document.body.appendChild(document.createElement('main'))
  place.style.cssText = 'position: relative; height: 560px; overflow: auto'
  const view = createRoot(place)
  view.render(
    <StrictMode>
      <RootContext value={root}>
        <FleetContext value={fleet}>
          <Router hook={location.hook} searchHook={location.searchHook}>
            {page}
          </Router>
        </FleetContext>
      </RootContext>
    </StrictMode>,
  )
  return {
    asked,
    told,
    /** addresses gone to, the first included */
    went: () => location.history,
    calls: (call: string) => asked.filter((one) => one.call === call),
    /** the server says that something is another now */
    change: (change: Pick<Change, 'subject' | 'ids'>) =>
      changes$.next({ type: 'changed', seq: 1, ...change }),
    /** the link goes down, or is back */
    link: (state: 'live' | 'offline') => root.link.set({ state, since: null, dataAt: null }),
    unmount() {
      root.session.stop()
      view.unmount()
      place.remove()
    },
  }
}

/** A form as it is, anything else from JSON. */
const bodyOf = (body: unknown): unknown =>
  body === undefined || body instanceof FormData ? body : JSON.parse(String(body))

const TIME = { now: 0, simulator: false, timeZone: 'Asia/Karachi' }

/** Somebody whose group is the company's top one, `top`. */
export const SESSION: Session = {
  user: {
    _id: 'u1',
    name: 'Bilal',
    userName: 'bilal',
    groupId: 'top',
    companyId: 'indus',
    exp: 1_900_000_000,
  },
  identityId: 'identity',
  accessToken: 'access',
  refreshToken: 'refresh',
  isSuperAdminUser: false,
  groupInfo: { depthLevel: 1, groupImage: null, name: 'Indus' },
  companyInfo: { groupId: 'top', companyId: 'indus' },
}
