import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guarded } from './guarded.tsx'

const Login = lazy(() => import('../features/access/login.tsx'))
const PublicNotYet = lazy(() => import('../features/not-yet/public-not-yet.tsx'))
const NetworkError = lazy(() => import('../features/network-error/network-error.tsx'))
const Shell = lazy(() => import('./shell.tsx'))

/** Public pages not built yet; the rest of the addresses belong to those who are signed in. */
const publicNotYet = [
  '/forgot-password',
  '/confirm-code/:userName',
  '/user/activate/:token',
  '/set-password/:id/:token',
  '/user/reset',
  '/adminLogin',
]

/** Every address of the portal: the public ones here, the others behind the guard, in the shell. */
export function App() {
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/login" component={Login} />
          <Route path="/error" component={NetworkError} />
          {publicNotYet.map((path) => (
            <Route key={path} path={path} component={PublicNotYet} />
          ))}
          <Route>
            <Guarded>
              <Shell />
            </Guarded>
          </Route>
        </Switch>
      </Suspense>
    </ErrorBoundary>
  )
}
