import { Route, Switch } from 'wouter'
import { COMPANIES_PATH } from '../actors/session-actor.ts'
import { lazyPart } from './lazy-part.ts'

const loadDashboard = () => import('../features/dashboard/dashboard.tsx')
const Dashboard = lazyPart(loadDashboard)
const DeviceHistory = lazyPart(() => import('../features/device-history/device-history.tsx'))
const NotFound = lazyPart(() => import('../features/not-found/not-found.tsx'))
const Assignment = lazyPart(() => import('../features/access/assignment.tsx'))
const Companies = lazyPart(() => import('../features/companies/companies.tsx'))
const NewCompany = lazyPart(() => import('../features/companies/new-company.tsx'))
const Company = lazyPart(() => import('../features/companies/company.tsx'))
const CompanyKeys = lazyPart(() => import('../features/companies/company-keys.tsx'))
const Devices = lazyPart(() => import('../features/devices/devices.tsx'))
const NewDevice = lazyPart(() => import('../features/devices/new-device.tsx'))
const ImportDevices = lazyPart(() => import('../features/devices/import-devices.tsx'))
const DevicePage = lazyPart(() => import('../features/devices/device-page.tsx'))
const Users = lazyPart(() => import('../features/users/users.tsx'))
const NewUser = lazyPart(() => import('../features/users/new-user.tsx'))
const UpdateUser = lazyPart(() => import('../features/users/update-user.tsx'))
const Account = lazyPart(() => import('../features/account/account.tsx'))
const UpdateAccount = lazyPart(() => import('../features/account/update-group.tsx'))
const Help = lazyPart(() => import('../features/help/help.tsx'))
const Groups = lazyPart(() => import('../features/groups/groups.tsx'))
const NewGroup = lazyPart(() => import('../features/groups/new-group.tsx'))
const UpdateGroup = lazyPart(() => import('../features/groups/update-group.tsx'))
const Reports = lazyPart(() => import('../features/reports/reports.tsx'))
const RequestReport = lazyPart(() => import('../features/reports/request-report.tsx'))
const TypeStep = lazyPart(() => import('../features/reports/type-step.tsx'))
const ScheduleReport = lazyPart(() => import('../features/schedules/schedule-report.tsx'))
const ReportLog = lazyPart(() => import('../features/reports/report-log.tsx'))
const Notifications = lazyPart(() => import('../features/notifications/notifications.tsx'))
const ChillerObservations = lazyPart(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.ChillerObservations,
  })),
)
const NamedObservations = lazyPart(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.NamedObservations,
  })),
)
const Violations = lazyPart(() => import('../features/visualization/violations.tsx'))
const Summary = lazyPart(() => import('../features/visualization/summary.tsx'))
const AboutUs = lazyPart(() => import('../features/about/about-us.tsx'))

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
      <Route path={`${COMPANIES_PATH}/new`} component={NewCompany} />
      <Route path={`${COMPANIES_PATH}/:companyId`} component={Company} />
      <Route path="/company/keys" component={CompanyKeys} />
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
      <Route path="/devices" component={Devices} />
      <Route path="/devices/add" component={NewDevice} />
      <Route path="/devices/import" component={ImportDevices} />
      <Route path="/devices/:imei" component={DevicePage} />
      <Route path="/visualization/violations" component={Violations} />
      <Route path="/visualization/summary" component={Summary} />
      <Route path="/aboutus" component={AboutUs} />
      <Route component={NotFound} />
    </Switch>
  )
}
