import { memoryLocation } from 'wouter/memory-location'
import { type Effects, startRoot } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import type { Popup } from '../../effects/toast.ts'
import { noDrafts } from './no-drafts.ts'

/** What a server answers: a status and a body; `hang`: nothing, for as long as the test lasts. */
export type Answer = { status?: number; body: unknown } | 'hang'
/** By method and path, without `/api`; a promise: not before it is kept. What is not named answers 404. */
export type Server = Record<
  string,
  Answer | ((body: unknown, headers: Headers, query: URLSearchParams) => Answer | Promise<Answer>)
>

type Played = Pick<Effects, 'loadLive'> &
  Partial<Pick<Effects, 'reload' | 'open' | 'handOff' | 'clock'>> & { storage?: Partial<Effects['storage']> }

/** The root of a page against a server, with effects that do nothing but note what they were told. */
export function testRoot(at: string, server: Server, { storage, ...played }: Played) {
  const requests: { call: string; body: unknown; headers: Headers }[] = []
  const toasts: string[] = []
  /** the newest of each name */
  const popups = new Map<string, Popup>()
  const location = memoryLocation({ path: at, record: true })
  const note = (message: string) => void toasts.push(message)
  const root = startRoot({
    baseUrl: '',
    async fetch(input, init) {
      const { pathname, searchParams } = new URL(String(input), 'http://portal')
      const call = `${init?.method ?? 'GET'} ${pathname.replace('/api', '')}`
      const body = bodyOf(init?.body)
      const headers = new Headers(init?.headers)
      if (call !== 'GET /time') requests.push({ call, body, headers })
      const known = call === 'GET /time' ? { body: TIME } : server[call]
      const answer = await (typeof known === 'function' ? known(body, headers, searchParams) : known)
      if (answer === 'hang') return new Promise<Response>(() => {})
      const { status = 200, body: content } = answer ?? {
        status: 404,
        body: { code: 404, message: 'Not found' },
      }
      return new Response(JSON.stringify(content), { status })
    },
    storage: {
      remembered: () => null,
      remember: () => {},
      rememberGroup: () => {},
      rememberName: () => {},
      rememberReset: () => {},
      rememberedReset: () => null,
      forget: () => {},
      onForgottenElsewhere: () => () => {},
      onStoredElsewhere: () => () => {},
      ...storage,
    },
    tabs: { isShared: true, hold: (_name, _signal, work) => work() },
    clock: { now: () => 0, isKnown: () => true, set: () => {}, until: () => Number.POSITIVE_INFINITY },
    toasts: {
      success: note,
      error: note,
      info: note,
      popup: (name, popup) => {
        popups.set(name, popup)
        note([popup.title, popup.detail].join(': '))
      },
    },
    preferences: createStore({ theme: 'system' as const, unfolded: {} }),
    director: createStore({ isOpen: false }),
    returnPage: { keep: () => {}, of: () => undefined, forget: () => {} },
    goTo: (path) => location.navigate(path),
    reload: () => {},
    build: undefined,
    open: () => {},
    drafts: noDrafts,
    commandKeys: async () => undefined,
    place: () => location.history.at(-1) ?? '/',

    isLeft: () => false,
    onReturn: () => {},
    handOff: undefined,
    download: () => {},
    ...played,
  })
  return { root, requests, toasts, popups, location }
}

/** A form as it is, anything else from JSON. */
const bodyOf = (body: unknown): unknown =>
  body === undefined || body instanceof FormData ? body : JSON.parse(String(body))

const TIME = { now: 0, simulator: false, timeZone: 'Asia/Karachi' }
