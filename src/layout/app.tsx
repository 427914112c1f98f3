import { useSelector } from '@xstate/react'
import { useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useStore } from '../actors/store.ts'
import { useRoot } from '../actors/use-root.ts'
import { toggled } from '../effects/director-memory.ts'
import { NetworkError } from '../features/network-error/network-error.tsx'
import { NetworkErrorWindow } from '../features/network-error/network-error-window.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guarded } from './guarded.tsx'
import { lazyPart } from './lazy-part.ts'
import { Simulated } from './simulated.tsx'
import { useDirectorKey } from './use-director-key.ts'

const Login = lazyPart(() => import('../features/access/login.tsx'))
const ForgotPassword = lazyPart(() => import('../features/access/forgot-password.tsx'))
const ConfirmCode = lazyPart(() => import('../features/access/confirm-code.tsx'))
const Activate = lazyPart(() => import('../features/access/activate.tsx'))
const SetPassword = lazyPart(() => import('../features/access/set-password.tsx'))
const Reset = lazyPart(() => import('../features/access/reset.tsx'))
const AdminLogin = lazyPart(() => import('../features/access/admin-login.tsx'))
const SharedHistory = lazyPart(() => import('../features/device-history/shared-history.tsx'))
const Verify = lazyPart(() => import('../features/verify/verify.tsx'))
const Shell = lazyPart(() => import('./shell.tsx'))
const LabPages = lazyPart(() => import('./lab-pages.tsx'))
const RecordingBadge = lazyPart(() => import('./recording-badge.tsx'))
const Director = lazyPart(() => import('../features/director/director.tsx'))
const ServerAwaited = lazyPart(() => import('./server-awaited.tsx'))
const Moment = lazyPart(() => import('../features/director/moment.tsx'))

/** The page of an address and, where the world is simulated, beside it the director's panel, wherever one goes. */
export function App() {
  const { director, server, recorder } = useRoot()
  const [at] = useLocation()
  const { isOpen, moment } = useStore(director)
  const isSimulated = useStore(server)?.simulator
  const isRecorded = useStore(recorder) !== undefined
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (wasOpen && !isOpen) setWasOpen(false)
  // The key may be pressed before the server has said what it is.
  useDirectorKey(isSimulated !== false, () => director.set(toggled(director.get())))

  return (
    <>
      <ErrorBoundary at={at}>
        <div className="flex">
          <div className="min-w-0 flex-1">
            {moment === undefined || isSimulated === false ? (
              <Addresses />
            ) : isSimulated ? (
              <Moment />
            ) : (
              <ServerAwaited skeleton={null} />
            )}
          </div>
          {isSimulated && isOpen && <Director takesFocus={!wasOpen} />}
        </div>
      </ErrorBoundary>
      {/* They say what became of a page that is gone, so they may not be gone with it. */}
      <StandingNetworkError />
      <NewVersionWindow />
      {isRecorded && (
        <ErrorBoundary>
          <RecordingBadge />
        </ErrorBoundary>
      )}
    </>
  )
}

/** There was no answer, over a page that stands as it is: what is on it cannot be kept. */
function StandingNetworkError() {
  const { networkError } = useRoot()
  const error = useStore(networkError)
  if (error === undefined) return null
  return (
    <NetworkErrorWindow detail={error.detail} onReload={() => networkError.set(undefined)}>
      Frostline's server did not answer. Check the network. What you typed still stands here: go back to it
      and try again.
    </NetworkErrorWindow>
  )
}

/** In the place of a page whose parts are of the build before. */
function NewVersionWindow() {
  const { newVersion, drafts } = useRoot()
  const missing = useSelector(newVersion, (state) => state.matches('stuck') && state.context.missing)
  if (!missing) return null
  return (
    <NetworkErrorWindow
      title="There is a new version"
      detail={null}
      onReload={() => newVersion.send({ type: 'reload', isKept: drafts.keep() })}
    >
      This page is part of a version that is not there any more. Reload to go on; what you typed{' '}
      {missing.isKept ? 'is' : 'could not be'} kept.
    </NetworkErrorWindow>
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
      <Route path="/shared/:token" component={SharedHistory} />
      <Route path="/verify" component={Verify} />
      <Route path="/lab/*?">
        <Simulated>
          <LabPages />
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
