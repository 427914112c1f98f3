import { lazy, Suspense, useState } from 'react'
import { Route, Switch } from 'wouter'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guarded } from './guarded.tsx'
import { Simulated } from './simulated.tsx'
import { useDirectorKey } from './use-director-key.ts'

const Login = lazy(() => import('../features/access/login.tsx'))
const ForgotPassword = lazy(() => import('../features/access/forgot-password.tsx'))
const ConfirmCode = lazy(() => import('../features/access/confirm-code.tsx'))
const Activate = lazy(() => import('../features/access/activate.tsx'))
const SetPassword = lazy(() => import('../features/access/set-password.tsx'))
const Reset = lazy(() => import('../features/access/reset.tsx'))
const AdminLogin = lazy(() => import('../features/access/admin-login.tsx'))
const NetworkError = lazy(() => import('../features/network-error/network-error.tsx'))
const Shell = lazy(() => import('./shell.tsx'))
const Lab = lazy(() => import('../features/lab/lab.tsx'))
const Recordings = lazy(() => import('../features/recordings/recordings.tsx'))
const RecordingBadge = lazy(() => import('./recording-badge.tsx'))
const Director = lazy(() => import('../features/director/director.tsx'))
const Moment = lazy(() => import('../features/director/moment.tsx'))

/** The page of an address and, where the world is a pretended one, beside it the director's panel, wherever one goes. */
export function App() {
  const { director, house, recorder } = useRoot()
  const { isOpen, moment } = useStore(director)
  const isSimulated = useStore(house)?.simulator
  const isRecorded = useStore(recorder) !== undefined
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (wasOpen && !isOpen) setWasOpen(false)
  // The key may be pressed before the server has said what it is.
  useDirectorKey(isSimulated !== false, () => director.set({ ...director.get(), isOpen: !isOpen }))

  return (
    <ErrorBoundary>
      <div className="flex">
        <div className="min-w-0 flex-1">
          <Suspense fallback={null}>
            {moment === undefined || isSimulated === false ? <Addresses /> : isSimulated && <Moment />}
          </Suspense>
        </div>
        {isSimulated && isOpen && (
          <Suspense fallback={null}>
            <Director takesFocus={!wasOpen} />
          </Suspense>
        )}
      </div>
      {isRecorded && (
        <Suspense fallback={null}>
          <RecordingBadge />
        </Suspense>
      )}
    </ErrorBoundary>
  )
}

/** Every address of the portal: the public ones here, the others behind the guard, in the shell. */
function Addresses() {
  return (
    <Switch>
      <Route path="/login" component={Login} />
      <Route path="/error" component={NetworkError} />
      <Route path="/forgot-password" component={ForgotPassword} />
      <Route path="/confirm-code/:userName" component={ConfirmCode} />
      <Route path="/user/activate/:token" component={Activate} />
      <Route path="/set-password/:id/:token" component={SetPassword} />
      <Route path="/user/reset" component={Reset} />
      <Route path="/adminLogin" component={AdminLogin} />
      <Route path="/lab/recordings">
        <Simulated>
          <Recordings />
        </Simulated>
      </Route>
      <Route path="/lab/:machine?">
        <Simulated>
          <Lab />
        </Simulated>
      </Route>
      <Route>
        <Guarded>
          <Shell />
        </Guarded>
      </Route>
    </Switch>
  )
}
