/** The addresses of both documents behind a sign-in, and the heading each opens with. */
export const inside: Record<string, string | RegExp> = {
  '/vehicle/assignment': 'No devices assigned',
  '/account': 'Account',
  '/account/update/indus': 'Update Group',
  '/devices': 'Devices',
  '/devices/add': 'Add Device',
  '/devices/import': 'Import Devices',
  '/company/keys': 'Keys',
  '/users': 'Users',
  '/users/create/indus': 'New User',
  '/user/update/user-operator-indus': 'Update User',
  '/groups': 'Groups',
  '/groups?asOf=2026-06-10T04:00+05:00': 'Groups',
  '/groups/add': 'New Group',
  '/groups/indus-lahore/update': 'Update Group',
  '/aboutus': 'About Us',
  '/help': 'Help',
  '/reports': 'Reports',
  '/reports/vehicleHistoryReport': 'Vehicle History Report',
  '/distanceReport': 'Distance Report',
  '/temperatureReport': 'Temperature Report',
  '/observationReport': 'Observation Report',
  '/eventReport': 'Event Report',
  '/powerReport': 'Power Report',
  '/scheduleReport': 'Schedule Report',
  '/download/reports': 'Report Logs',
  '/devices/chiller-observation': 'Temp Observations',
  '/devices/tempchiller-observation': 'Temp Observations with names',
  '/notifications': 'Notifications',
  '/shift': 'Since you left',
  '/visualization/violations': 'Violations',
  '/visualization/summary': 'Summary',
  '/visualization/alarms': 'Health of alarms',
  '/limits-lab': 'Try limits',
}

/** Those of administrators of the server, outside any company. */
export const administration: Record<string, string> = {
  '/admin/companies': 'Companies',
  '/admin/companies/new': 'New company',
  '/admin/companies/indus': 'Indus Cold Chain',
}

/** Those before it. */
export const outside: Record<string, string> = {
  '/verify': 'Verify a report',
  '/login': 'Sign in',
  '/forgot-password': 'Forgot Password',
  '/confirm-code/operatorindus': 'Confirmation code',
  '/user/activate/some-token': 'Invalid link',
  '/set-password/some-id/some-token': 'Invalid link',
  '/user/reset': 'Sign in',
  '/shared/some-token': 'Shared proof',
  '/adminLogin': 'This link does not let you in',
}
