/** A page one can go to by name: in the sidebar, the palette and the user menu. */
export type Place = { path: string; title: string; section?: SectionName }
export type SectionName = 'Reports' | 'Visualization' | 'Settings'

/** In the order of the sidebar. */
export const places: readonly Place[] = [
  { path: '/', title: 'Dashboard' },
  { path: '/devices/chiller-observation', title: 'Temp Observations' },
  { path: '/loads', title: 'Loads' },
  { path: '/groups', title: 'Groups' },
  { path: '/reports', title: 'All reports', section: 'Reports' },
  { path: '/scheduleReport', title: 'Schedule Report', section: 'Reports' },
  { path: '/download/reports', title: 'Report Logs', section: 'Reports' },
  { path: '/visualization/violations', title: 'Violations', section: 'Visualization' },
  { path: '/visualization/summary', title: 'Summary', section: 'Visualization' },
  { path: '/visualization/alarms', title: 'Health of alarms', section: 'Visualization' },
  { path: '/limits-lab', title: 'Try limits', section: 'Visualization' },
  { path: '/account', title: 'Account', section: 'Settings' },
  { path: '/devices', title: 'Devices', section: 'Settings' },
  { path: '/profiles', title: 'Profiles', section: 'Settings' },
  { path: '/users', title: 'Users', section: 'Settings' },
]

/** Pages the sidebar does not list, which the palette knows too. */
export const otherPlaces: readonly Place[] = [
  { path: '/devices/tempchiller-observation', title: 'Temp Observations with names' },
  { path: '/distanceReport', title: 'Distance Report' },
  { path: '/temperatureReport', title: 'Temperature Report' },
  { path: '/observationReport', title: 'Observation Report' },
  { path: '/eventReport', title: 'Event Report' },
  { path: '/powerReport', title: 'Power Report' },
  { path: '/loads/import', title: 'Import loads' },
  { path: '/notifications', title: 'Notifications' },
  { path: '/shift', title: 'Since you left' },
  { path: '/help', title: 'Help' },
  { path: '/aboutus', title: 'About Us' },
]

/** For those who may keep keys. */
export const keys: Place = { path: '/company/keys', title: 'Keys for other systems' }
/** For super admins who are in no company. */
export const companies: Place = { path: '/admin/companies', title: 'Companies' }
export const newCompany: Place = { path: '/admin/companies/new', title: 'Add Company' }

/** For testers, where the world is simulated. */
export const lab: Place = { path: '/lab', title: 'Lab' }
export const recordings: Place = { path: '/lab/recordings', title: 'Recordings of sessions' }

export const sections: readonly SectionName[] = ['Reports', 'Visualization', 'Settings']

/** Whether a place or one below it is on screen. */
export function isHere(place: Place, location: string): boolean {
  if (place.path === '/') return location === '/' || location.startsWith('/temperature/')
  // one user is updated beside the list, as the documents have it
  if (place.path === '/users' && location.startsWith('/user/')) return true
  // the screens of single reports have addresses of their own, as the documents have them
  if (place.path === '/reports' && /^\/(distance|temperature|observation|event|power)Report$/.test(location))
    return true
  // the tables of observations stand below it by their addresses alone
  if (place.path === '/devices' && /^\/devices\/(temp)?chiller-observation$/.test(location)) return false
  return location === place.path || location.startsWith(`${place.path}/`)
}

/**
 * The group depth level drives what stands open at first: all of it for a company's top group, the settings folded one
 * level below, everything folded from the documents' default depth on.
 */
export function isUnfoldedAt(depthLevel: number, section: SectionName): boolean {
  if (depthLevel <= 1) return true
  return depthLevel === 2 && section !== 'Settings'
}
