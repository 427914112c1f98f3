import { Route, Switch } from 'wouter'
import { COMPANIES_PATH } from '../actors/session-actor.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { type AnyComponent, lazyPart } from './lazy-part.ts'

const waiting = <SkeletonRows rows={10} className="p-4" />

const page = <T extends AnyComponent>(load: () => Promise<{ default: T }>) => lazyPart(load, waiting)

const Dashboard = page(() => import('../features/dashboard/dashboard.tsx'))
const DeviceHistory = page(() => import('../features/device-history/device-history.tsx'))
const ViolationCase = page(() => import('../features/device-history/violation-case.tsx'))
const NotFound = page(() => import('../features/not-found/not-found.tsx'))
const Assignment = page(() => import('../features/access/assignment.tsx'))
const Companies = page(() => import('../features/companies/companies.tsx'))
const NewCompany = page(() => import('../features/companies/new-company.tsx'))
const Company = page(() => import('../features/companies/company.tsx'))
const CompanyKeys = page(() => import('../features/companies/company-keys.tsx'))
const Devices = page(() => import('../features/devices/devices.tsx'))
const NewDevice = page(() => import('../features/devices/new-device.tsx'))
const ImportDevices = page(() => import('../features/devices/import-devices.tsx'))
const DevicePage = page(() => import('../features/devices/device-page.tsx'))
const Users = page(() => import('../features/users/users.tsx'))
const NewUser = page(() => import('../features/users/new-user.tsx'))
const UpdateUser = page(() => import('../features/users/update-user.tsx'))
const Account = page(() => import('../features/account/account.tsx'))
const UpdateAccount = page(() => import('../features/account/update-group.tsx'))
const Help = page(() => import('../features/help/help.tsx'))
const Groups = page(() => import('../features/groups/groups.tsx'))
const NewGroup = page(() => import('../features/groups/new-group.tsx'))
const UpdateGroup = page(() => import('../features/groups/update-group.tsx'))
const ProfilePages = page(() => import('../features/profiles/profile-pages.tsx'))
const LoadPages = page(() => import('../features/loads/load-pages.tsx'))
const Reports = page(() => import('../features/reports/reports.tsx'))
const RequestReport = page(() => import('../features/reports/request-report.tsx'))
const TypeStep = page(() => import('../features/reports/type-step.tsx'))
const ScheduleReport = page(() => import('../features/schedules/schedule-report.tsx'))
const ReportLog = page(() => import('../features/reports/report-log.tsx'))
const Notifications = page(() => import('../features/notifications/notifications.tsx'))
const ChillerObservations = page(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.ChillerObservations,
  })),
)
const NamedObservations = page(() =>
  import('../features/observations/observations.tsx').then((module) => ({
    default: module.NamedObservations,
  })),
)
const Violations = page(() => import('../features/visualization/violations.tsx'))
const Shift = page(() => import('../features/shift/shift.tsx'))
const Summary = page(() => import('../features/visualization/summary.tsx'))
const AlarmHealth = page(() => import('../features/alarm-health/alarm-health.tsx'))
const LimitsLab = page(() => import('../features/limits-lab/limits-lab.tsx'))
const AboutUs = page(() => import('../features/about/about-us.tsx'))

// Whoever starts there, or is just signing in, need not wait for the shell to ask for it.
if (location.pathname === '/' || location.pathname === '/login') Dashboard.fetchPart().catch(() => {}) // whoever shows it says so

/** The pages inside the shell. Each comes with its first visit. */
export function Pages() {
  return (
    <Switch>
      <Route path="/" component={Dashboard} />
      <Route path="/temperature/:imei" component={DeviceHistory} />
      <Route path="/violations/:id" component={ViolationCase} />
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
      <Route path="/loads/*?" component={LoadPages} />
      <Route path="/profiles/*?" component={ProfilePages} />
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
      <Route path="/shift" component={Shift} />
      <Route path="/visualization/violations" component={Violations} />
      <Route path="/visualization/summary" component={Summary} />
      <Route path="/limits-lab" component={LimitsLab} />
      <Route path="/visualization/alarms" component={AlarmHealth} />
      <Route path="/aboutus" component={AboutUs} />
      <Route component={NotFound} />
    </Switch>
  )
}
