import { lazy } from 'react'
import { Route, Switch } from 'wouter'
import { COMPANIES_PATH } from '../actors/session-actor.ts'

const loadDashboard = () => import('../features/dashboard/dashboard.tsx')
const Dashboard = lazy(loadDashboard)
const DeviceHistory = lazy(() => import('../features/device-history/device-history.tsx'))
const NotFound = lazy(() => import('../features/not-found/not-found.tsx'))
const Assignment = lazy(() => import('../features/access/assignment.tsx'))
const Companies = lazy(() => import('../features/access/companies.tsx'))
const Users = lazy(() => import('../features/users/users.tsx'))
const NewUser = lazy(() => import('../features/users/new-user.tsx'))
const UpdateUser = lazy(() => import('../features/users/update-user.tsx'))
const Account = lazy(() => import('../features/account/account.tsx'))
const UpdateAccount = lazy(() => import('../features/account/update-group.tsx'))
const Help = lazy(() => import('../features/help/help.tsx'))
const Groups = lazy(() => import('../features/groups/groups.tsx'))
const NewGroup = lazy(() => import('../features/groups/new-group.tsx'))
const UpdateGroup = lazy(() => import('../features/groups/update-group.tsx'))
const Reports = lazy(() => import('../features/reports/reports.tsx'))
const RequestReport = lazy(() => import('../features/reports/request-report.tsx'))
const TypeStep = lazy(() => import('../features/reports/type-step.tsx'))
const ScheduleReport = lazy(() => import('../features/schedules/schedule-report.tsx'))
const ReportLog = lazy(() => import('../features/reports/report-log.tsx'))
const Notifications = lazy(() => import('../features/notifications/notifications.tsx'))
const ChillerObservations = lazy(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.ChillerObservations,
  })),
)
const NamedObservations = lazy(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.NamedObservations,
  })),
)
const Violations = lazy(() => import('../features/visualization/violations.tsx'))
const Summary = lazy(() => import('../features/visualization/summary.tsx'))
const AboutUs = lazy(() => import('../features/about/about-us.tsx'))

// Whoever starts there, or is just signing in, need not wait for the shell to ask for it.
if (location.pathname === '/' || location.pathname === '/login') void loadDashboard()

/** The pages inside the shell. Each comes with its first visit. */
export function Pages() {
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/temperature/:imei" component={DeviceHistory} />
      <Route path="/vehicle/assignment" component={Assignment} />
      <Route path={COMPANIES_PATH} component={Companies} />
      <Route path="/users" component={Users} />
      <Route path="/users/create/:id" component={NewUser} />
      <Route path="/user/update/:id" component={UpdateUser} />
      <Route path="/account" component={Account} />
      <Route path="/account/update/:id" component={UpdateAccount} />
      <Route path="/help" component={Help} />
      <Route path="/groups" component={Groups} />
      <Route path="/groups/add" component={NewGroup} />
      <Route path="/groups/:id/update" component={UpdateGroup} />
      <Route path="/reports" component={Reports} />
      <Route path="/reports/:type" component={TypeStep} />
      {(['distance', 'temperature', 'observation', 'event', 'power'] as const).map((kind) => (
        <Route key={kind} path={`/${kind}Report`}>
          <RequestReport key={kind} kind={kind} />
        </Route>
      ))}
      <Route path="/scheduleReport" component={ScheduleReport} />
      <Route path="/download/reports" component={ReportLog} />
      <Route path="/notifications" component={Notifications} />
      <Route path="/devices/chiller-observation" component={ChillerObservations} />
      <Route path="/devices/tempchiller-observation" component={NamedObservations} />
      <Route path="/visualization/violations" component={Violations} />
      <Route path="/visualization/summary" component={Summary} />
      <Route path="/aboutus" component={AboutUs} />
      <Route component={NotFound} />
    </Switch>
  )
}
