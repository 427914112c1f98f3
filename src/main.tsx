import './effects/trusted-types.ts'
import './effects/hand-off-taken.ts'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { navigate } from 'wouter/use-browser-location'
import { inspection } from './actors/inspection.ts'
import { notePartMissing, type Root, startRoot } from './actors/root.ts'
import { createStore } from './actors/store.ts'
import { RootContext } from './actors/use-root.ts'
import { onReturn } from './effects/attention.ts'
import { buildOf } from './effects/build.ts'
import { createServerClock } from './effects/clock.ts'
import type { CommandKeys } from './effects/command-keys.ts'
import {
  keepDirectorMemory,
  readDirectorMemory,
  requestedMoment,
  requestedTools,
} from './effects/director-memory.ts'
import { download } from './effects/download.ts'
import { createDrafts } from './effects/drafts.ts'
import { handOff } from './effects/hand-off-taken.ts'
import { loadAnew, watchLeft } from './effects/leaving.ts'
import { keepPreferences, readPreferences } from './effects/preferences.ts'
import { createReturnPage } from './effects/return-page.ts'
import { createSessionStorage } from './effects/storage.ts'
import { createTabLock } from './effects/tab-lock.ts'
import { createToasts } from './effects/toast.ts'
import { webStorage } from './effects/web-storage.ts'
import { App } from './layout/app.tsx'
import { followTheme } from './layout/theme.ts'
import './styles/tokens.css'
import { ClockContext } from './ui/clock-context.ts'

const session = webStorage(window, 'sessionStorage')
const local = webStorage(window, 'localStorage')
const preferences = createStore(readPreferences(document.cookie))
keepPreferences(document, preferences)
const director = createStore({
  ...readDirectorMemory(session),
  ...requestedMoment(location),
  ...requestedTools(location),
})
director.subscribe(() => keepDirectorMemory(session, director.get()))

const storage = createSessionStorage(local, window)
const drafts = createDrafts(
  session,
  () => `${storage.remembered()?.user._id ?? 'nobody'} ${location.pathname}`,
  () => Date.now(),
)

/** They come with what is loaded at sign-in: nobody sends a command before. Where they do not come, commands have no names. */
let keys: Promise<CommandKeys | undefined> | undefined
const commandKeys = () =>
  (keys ??= import('./effects/command-keys.ts').then(
    ({ createCommandKeys }) => createCommandKeys(session, () => Date.now()),
    () => (keys = undefined),
  ))

const root: Root = startRoot({
  // Another server with the same contract: build with VITE_API_URL.
  baseUrl: import.meta.env.VITE_API_URL ?? '',
  fetch: fetch.bind(window),
  storage,
  // where site data is blocked, the locks of the browser are too
  tabs: createTabLock(local instanceof Storage ? navigator.locks : undefined),
  clock: createServerClock(
    () => performance.now(),
    () => Date.now(),
  ),
  toasts: createToasts(
    async () => (await import('./ui/toaster.tsx')).mountToaster(document),
    (error) => notePartMissing(root, error) || console.error(error),
  ),
  preferences,
  director,
  returnPage: createReturnPage(session),
  goTo: (path, state) => navigate(path, { state }),
  reload() {
    drafts.keep()
    loadAnew(window)
  },
  build: buildOf(document),
  open: (path) => location.assign(path),
  drafts,
  commandKeys,
  place: () => location.pathname + location.search,
  isLeft: watchLeft(window),
  onReturn: (listener) => onReturn(window, document, listener),
  handOff,
  loadLive() {
    void commandKeys()
    return import('./actors/live.ts')
  },
  download,
})
followTheme(root, document.documentElement)
// Only a simulated world may be looked into.
root.server.subscribe(() => {
  const isSimulated = root.server.get()?.simulator ?? false
  inspection.allow(isSimulated)
  // testers see what was done in this browser: on the charts of /lab
  if (isSimulated) void import('./actors/lab-coverage.ts').then(({ countHere }) => countHere())
})
// While the server checks the password, what they will see is fetched.
root.session.subscribe((state) => {
  if (!state.matches('loading')) return
  void import('./layout/shell.tsx')
  void import('./actors/live.ts')
})

// Who is signed in already and begins at the map gets its parts at once, not each when the one before has come.
if (location.pathname === '/' && storage.remembered() !== null)
  Promise.all([
    import('./layout/shell.tsx'),
    import('./features/dashboard/dashboard.tsx'),
    import('./features/dashboard/map/base-map.tsx'),
  ]).catch(() => {}) // whoever shows them says so

const page = document.getElementById('root')
if (page === null) throw new Error('The page has no #root')
createRoot(page).render(
  <StrictMode>
    <RootContext value={root}>
      <ClockContext value={root.clock}>
        <App />
      </ClockContext>
    </RootContext>
  </StrictMode>,
)
