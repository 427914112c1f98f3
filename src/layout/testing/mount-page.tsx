import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BehaviorSubject, Subject } from 'rxjs'
import { Router } from 'wouter'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Session } from '#machines/session/session.ts'
import { startDesk } from '../../actors/desk.ts'
import { startNotifications } from '../../actors/notifications.ts'
import type { Effects, Live } from '../../actors/root.ts'
import { createStore } from '../../actors/store.ts'
import { RootContext } from '../../actors/use-root.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { FleetContext } from '../../read-model/use-fleet.ts'
import type { Change, ServerTime } from '../../streams/live-feed.ts'
import type { Liveness } from '../../streams/liveness.ts'
import { ClockContext } from '../../ui/clock-context.ts'
import { type Server, testRoot } from './test-root.ts'
import '../../styles/tokens.css'

type PageSetting = {
  at: string
  server: Server
  fleet: Fleet
  /** the server's; it stands still at 0 by default */
  clock?: Effects['clock']
  /** where what was typed is kept; nowhere by default */
  drafts?: Effects['drafts']
  /** who is signed in; somebody of the company's top group by default */
  session?: Session
}
export type PageHarness = Awaited<ReturnType<typeof mountPage>>

/** A page of the shell for somebody signed in, with their fleet, against a server; `unmount` when the test is over. */
export async function mountPage(
  page: ReactNode,
  { at, server, fleet, clock, drafts, session = SESSION }: PageSetting,
) {
  const changes$ = new Subject<Change>()
  const news = {
    changes$,
    notifications$: new Subject<Notification & { seq: number }>(),
    facts$: new Subject<Fact>(),
    time$: new Subject<ServerTime>(),
    liveness$: new BehaviorSubject<Liveness>({ state: 'live', since: null, dataAt: null }),
    liveFrom$: new BehaviorSubject<number | undefined>(0),
    see: (_userId: string, upTo: number) => void seen.push(upTo),
  }
  /** up to where the visitor said to have seen notifications */
  const seen: number[] = []
  const { root, requests, toasts, popups, location } = testRoot(at, server, {
    storage: { remembered: () => session },
    loadLive: async () => ({
      startLive: (begun, who) =>
        ({
          fleet,
          feed: news,
          notifications: startNotifications(begun, news, who, { firstLoad: 0, dateSettle: 0 }),
          desk: startDesk(begun, news, who),
          past: createStore(undefined),
          stop() {},
        }) as unknown as Live,
    }),
    ...(clock && { clock }),
    ...(drafts && { drafts }),
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
        <ClockContext value={clock ?? { now: () => Date.now() }}>
          <FleetContext value={fleet}>
            <Router hook={location.hook} searchHook={location.searchHook}>
              {page}
            </Router>
          </FleetContext>
        </ClockContext>
      </RootContext>
    </StrictMode>,
  )
  return {
    requests,
    toasts,
    popups,
    seen,
    root,
    news,
    /** addresses gone to, the first included */
    went: () => location.history,
    calls: (call: string) => requests.filter((one) => one.call === call),
    /** the server says that something is another now */
    change: (change: Pick<Change, 'subject' | 'ids'>) =>
      changes$.next({ type: 'changed', seq: 1, ...change }),
    /** the link goes down, or is back */
    link: (state: 'live' | 'offline') => root.link.set({ state, since: null, dataAt: null }),
    unmount() {
      root.live.get()?.notifications.stop()
      root.live.get()?.desk.stop()
      root.session.stop()
      view.unmount()
      place.remove()
    },
  }
}

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
