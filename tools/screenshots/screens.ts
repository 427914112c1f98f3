import type { Page } from 'playwright'

/** Who looks: nobody signed in, or somebody of the demo's accounts. */
export type Looker = 'nobody' | 'operator' | 'newcomer' | 'admin' | 'toReset'

export type Screen = {
  name: string
  by: Looker
  /** brings a page to where the picture is taken */
  go(page: Page): Promise<void>
}

/** The whole portal, one entry a screen or what opens on it, in the order one meets them. */
export const SCREENS: readonly Screen[] = [
  ...at('nobody', {
    'sign-in': '/login',
    'forgot-password': '/forgot-password',
    'confirm-code': '/confirm-code/ayesha',
    'link-unknown': '/user/activate/no-such-link',
    'set-password-unknown': '/set-password/none/none',
    'admin-login-spoilt': '/adminLogin',
    error: '/error',
    verify: '/verify',
  }),
  screen('suspended', 'nobody', async (page) => {
    await page.goto('/login')
    await page.getByRole('button', { name: 'operator@thar.example' }).click()
    await page.getByRole('button', { name: 'Back to sign in' }).waitFor()
  }),
  ...at('toReset', { 'reset-password': '/user/reset' }),
  ...at('newcomer', { 'no-devices': '/', 'no-notifications': '/notifications', 'no-reports': '/reports' }),
  ...at('admin', { companies: '/admin/companies' }),
  screen('dashboard', 'operator', dashboard),
  screen('dashboard-selected', 'operator', async (page) => {
    await dashboard(page)
    await devices(page).getByRole('button').first().click()
  }),
  screen('device-update', 'operator', async (page) => {
    await dashboard(page)
    await page
      .getByRole('button', { name: /^Edit / })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Device Update' }).waitFor()
  }),
  screen('groups-picker', 'operator', async (page) => {
    await dashboard(page)
    await page.getByRole('button', { name: /^Groups/ }).click()
    await page.getByRole('dialog', { name: 'Groups' }).waitFor()
  }),
  screen('palette', 'operator', async (page) => {
    await dashboard(page)
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Go to' }).getByRole('combobox').fill('LHR-FRZ')
  }),
  screen('bell', 'operator', async (page) => {
    await dashboard(page)
    await page
      .getByRole('banner')
      .getByRole('button', { name: /^Notifications/ })
      .click()
    await page.getByRole('dialog', { name: 'Notifications of today' }).waitFor()
  }),
  screen('user-menu', 'operator', async (page) => {
    await open(page, '/help')
    await page.getByRole('button', { name: /, menu$/ }).click()
    await page.getByRole('menu').waitFor()
  }),
  screen('history', 'operator', async (page) => {
    await dashboard(page)
    await devices(page).getByRole('button').first().dblclick()
    await page.getByRole('region', { name: 'Humidity chart' }).getByRole('img').waitFor()
  }),
  screen('incident-case', 'operator', async (page) => {
    await open(page, '/notifications')
    const entry = page.getByRole('button', { name: /^(High|Low) (temperature|humidity)/ }).first()
    await entry.click()
    await page.getByRole('link', { name: 'Case' }).first().click()
    await page.getByRole('list', { name: 'What happened' }).waitFor()
  }),
  ...at('operator', {
    groups: '/groups',
    'group-add': '/groups/add',
    'group-update': '/groups/indus-lahore/update',
    devices: '/devices',
    'device-add': '/devices/add',
    'device-import': '/devices/import',
    users: '/users',
    'user-create': '/users/create/indus',
  }),
  screen('user-update', 'operator', async (page) => {
    await open(page, '/users')
    await page
      .getByRole('link', { name: /^Edit / })
      .first()
      .click()
    await page.getByRole('heading', { name: 'History' }).waitFor()
  }),
  screen('user-delete', 'operator', async (page) => {
    await open(page, '/users')
    await page
      .getByRole('button', { name: /^Delete / })
      .first()
      .click()
    await page.getByRole('dialog', { name: 'Delete Record?' }).waitFor()
  }),
  ...at('operator', {
    account: '/account',
    'account-update': '/account/update/indus',
    assignment: '/vehicle/assignment',
    reports: '/reports',
    'report-step': '/reports/vehicleTravelReport',
    'report-distance': '/distanceReport',
    'report-temperature': '/temperatureReport',
    'report-observation': '/observationReport',
    'report-event': '/eventReport',
    'report-power': '/powerReport',
    'report-log': '/download/reports',
    schedules: '/scheduleReport',
    notifications: '/notifications',
    shift: '/shift',
    loads: '/loads',
    'load-import': '/loads/import',
    profiles: '/profiles',
    'profile-add': '/profiles/add',
    'limits-lab': '/limits-lab',
    'alarm-health': '/visualization/alarms',
    wall: '/?wall',
    observations: '/devices/chiller-observation',
    'observations-named': '/devices/tempchiller-observation',
    violations: '/visualization/violations',
    'violation-summary': '/visualization/summary',
    help: '/help',
    about: '/aboutus',
    'no-such-page': '/nowhere',
  }),
  screen('director', 'operator', async (page) => {
    await dashboard(page)
    await page.keyboard.press('d')
    await page
      .getByRole('complementary', { name: 'Director' })
      .getByRole('region', { name: 'Clock' })
      .waitFor()
  }),
  ...at('operator', {
    moment: '/?scenario=dairy-dawn&seed=418&t=0',
    'lab-machine': '/lab/session',
    recordings: '/lab/recordings',
  }),
  screen('lab', 'operator', async (page) => {
    await page.goto('/lab')
    await page.getByRole('navigation', { name: 'Machines' }).getByRole('link').first().waitFor()
  }),
]

function screen(name: string, by: Looker, go: Screen['go']): Screen {
  return { name, by, go }
}

function at(by: Looker, paths: Readonly<Record<string, string>>): Screen[] {
  return Object.entries(paths).map(([name, path]) => screen(name, by, (page) => open(page, path)))
}

const devices = (page: Page) => page.getByRole('list', { name: 'Devices' })

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('main').first().waitFor()
  await page.waitForLoadState('networkidle')
}

async function dashboard(page: Page): Promise<void> {
  await page.goto('/')
  await devices(page).getByRole('listitem').first().waitFor()
}
