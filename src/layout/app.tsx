import { lazy, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { ErrorBoundary } from './error-boundary.tsx'
import { Guarded } from './guarded.tsx'

const Login = lazy(() => import('../features/access/login.tsx'))
const ForgotPassword = lazy(() => import('../features/access/forgot-password.tsx'))
const ConfirmCode = lazy(() => import('../features/access/confirm-code.tsx'))
const Activate = lazy(() => import('../features/access/activate.tsx'))
const SetPassword = lazy(() => import('../features/access/set-password.tsx'))
const Reset = lazy(() => import('../features/access/reset.tsx'))
const AdminLogin = lazy(() => import('../features/access/admin-login.tsx'))
const NetworkError = lazy(() => import('../features/network-error/network-error.tsx'))
const Shell = lazy(() => import('./shell.tsx'))

/** Every address of the portal: the public ones here, the others behind the guard, in the shell. */
export function App() {
  return (
    <ErrorBoundary>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/login" component={Login} />
          <Route path="/error" component={NetworkError} />
          <Route path="/forgot-password" component={ForgotPassword} />
          <Route path="/confirm-code/:userName" component={ConfirmCode} />
          <Route path="/user/activate/:token" component={Activate} />
          <Route path="/set-password/:id/:token" component={SetPassword} />
          <Route path="/user/reset" component={Reset} />
          <Route path="/adminLogin" component={AdminLogin} />
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
