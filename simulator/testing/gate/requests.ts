import type { InjectOptions } from 'fastify'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import { NotificationSettings } from '#machines/contracts/entities/users.ts'
import { AlertSwitches } from '#machines/contracts/entities/violation-types.ts'
import { PASSWORD, START } from '../../../server/api/http/testing/test-app.ts'
import { DEVICE_KEY } from '../../../server/commands/testing/company-facts.ts'
import { IMEI as SIM_IMEI } from '../../routes/testing/fake-director.ts'
import {
  type Badge,
  CANDIDATE,
  FORGETFUL,
  failedReport,
  type GateServer,
  IMAGE,
  keyOfCompany,
  loadOf,
  MADE_REPORT,
  outdatedReport,
  reviewedLoadOf,
  scheduleOf,
  shareOf,
  trialOf,
  viewOf,
  waitingReport,
} from './gate-app.ts'
import type { Row } from './row.ts'
import { HOME, IDS, type Ids, type Who, type Whose } from './who.ts'

/** What a request holds besides the asker's access token. Objects in `query` travel as JSON. */
export type GateAsk = {
  params?: Record<string, string>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
  /** the address it comes from; a new one each time where left out */
  from?: string
}

/** `it`: what is tried; `mine`: what is the asker's own; `badge`: what they show. */
type Asks = (tried: { it: Ids; mine: Ids; badge: Badge; server: GateServer }) => GateAsk

/** Looks like the token of a link and is none. */
const GUESSED = 'A'.repeat(43)
const data = { startDate: START - 1000, endDate: START }
const NO_CHOICE = { devices: [], violations: [] }
const reading = ({ imei }: Ids) => ({ readings: [{ imei, at: START, temperature: 4 }] })

const GROUP = {
  name: 'New',
  description: '',
  lowTemperatureThreshold: 0,
  highTemperatureThreshold: 0,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
}
const ofTrial = ({ group }: Ids) => ({ groupId: group, trialId: trialOf(group) })
const groupBody = ({ group, company }: Ids, tried: object) => ({
  ...GROUP,
  parentId: group,
  companyId: company,
  things: [],
  ...tried,
})
const PERSON = { firstName: 'New', lastName: 'Name', phone: '03001234567' }
const SWITCHES = Object.fromEntries(Object.keys(AlertSwitches.schema).map((type) => [type, false]))
const selection = (picked: object) => ({ things: [], groups: [], ...data, ...picked })
const scheduleBody = ({ group, imei }: Ids, tried: object) => ({
  groups: [group],
  vehicles: [imei],
  interval: 'Daily',
  emails: ['ops@indus.example'],
  reportTypes: ['POWER_REPORT'],
  ...tried,
})
/** As the log or a mail leads to it. */
function signedFile({ access }: GateServer): { params: { id: string }; query: Record<string, unknown> } {
  const { pathname, searchParams } = new URL(
    access.downloadLinks.to(MADE_REPORT, 0),
    'https://portal.example',
  )
  return { params: { id: pathname.split('/').at(-1) ?? '' }, query: Object.fromEntries(searchParams) }
}
/** Of an address outside that is in a schedule of Indus. */
const mailToken = ({ access }: GateServer): string =>
  access.mailLinks.to('indus', 'depot@elsewhere.example').split('/').at(-1) ?? ''
/** One pixel, as a form sends it. */
const PICTURE = {
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: Buffer.concat([
    Buffer.from('--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\n'),
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
    Buffer.from('\r\n--edge--\r\n'),
  ]),
}

const DEVICE = { name: 'New', plateNumber: '', vehicleMakeAndModel: '', type: 'vehicle' }
/** A list without a device, as a form sends it. */
const LIST = {
  headers: PICTURE.headers,
  body: Buffer.from(
    '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nIMEI,Name\r\n--edge--\r\n',
  ),
}

/** A list of loads without a load. */
const LOAD_LIST = {
  headers: PICTURE.headers,
  body: Buffer.from(
    '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nIMEI,Reference\r\n--edge--\r\n',
  ),
}

/**
 * What is sent for a line of the table, by route and what is tried. Ids in the path are filled in by themselves, from what
 * is tried where that is the path, else from what is the asker's own; who sends nothing else needs no entry.
 */
const REQUESTS: Record<string, Asks> = {
  'POST /api/auth/login right': () => ({ body: { username: 'ayesha', password: PASSWORD } }),
  'POST /api/auth/login wrong': ({ mine }) => ({
    body: { username: mine.userName, password: 'Guess#12345' },
  }),
  'GET /api/auth/refresh-token -': ({ badge }) => ({
    query: { token: badge.refreshToken ?? 'u1.s-1.guess' },
  }),

  'GET /mail/:token sent': ({ server }) => ({ params: { token: mailToken(server) } }),
  'POST /mail/:token sent': ({ server }) => ({
    params: { token: mailToken(server) },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from('want=no'),
  }),
  'POST /mail/:token guessed': () => ({
    params: { token: GUESSED },
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from('want=no'),
  }),
  'POST /api/auth/checkLinkValidity/:token sent': ({ server }) => ({
    params: { token: server.links.password },
  }),
  'POST /api/auth/getUserByToken/:token sent': ({ server }) => ({ params: { token: server.links.password } }),
  'POST /api/auth/resendLink/:token sent': ({ server }) => ({ params: { token: server.links.activation } }),
  'POST /api/auth/resendLink/:token late': ({ server }) => ({ params: { token: server.links.late } }),
  'POST /api/auth/activate/:token sent': ({ server }) => ({
    params: { token: server.links.activation },
    body: { password: PASSWORD },
  }),
  'POST /api/auth/activate/:token guessed': () => ({
    params: { token: GUESSED },
    body: { password: PASSWORD },
  }),
  'POST /api/auth/set-password/:id/:token guessed': ({ it }) => ({
    params: { id: it.user, token: GUESSED },
    body: { password: PASSWORD },
  }),
  'POST /api/auth/set-password/:id/:token other-id': ({ server, mine }) => ({
    params: { id: mine.user, token: server.links.password },
    body: { password: PASSWORD },
  }),
  'POST /api/auth/set-password/:id/:token sent': ({ server }) => ({
    params: { id: FORGETFUL, token: server.links.password },
    body: { password: PASSWORD },
  }),
  'POST /api/auth/set-password -': ({ badge }) => ({
    body: { password: PASSWORD, confirmation: PASSWORD, token: badge.token ?? 'none' },
  }),
  'POST /api/auth/forgot-password -': ({ mine }) => ({
    body: { email: `${mine.userName}@elsewhere.example` },
  }),
  'POST /api/auth/confirm-user sent': ({ server }) => ({
    body: { userName: IDS.child.userName, code: server.links.code, password: PASSWORD },
  }),
  'POST /api/auth/confirm-user guessed': ({ mine }) => ({
    body: { userName: mine.userName, code: '123456', password: PASSWORD },
  }),

  'PUT /api/things/:imei path': ({ mine }) => ({ body: { name: 'New', groupId: mine.group } }),
  'PUT /api/things/:imei groupId': ({ it }) => ({ body: { name: 'New', groupId: it.group } }),
  'POST /api/things/move things': ({ it, mine }) => ({ body: { things: [it.imei], groupId: mine.group } }),
  'POST /api/things/move groupId': ({ it, mine }) => ({ body: { things: [mine.imei], groupId: it.group } }),
  'PUT /api/things/:imei/record path': ({ mine }) => ({ body: { ...DEVICE, groupId: mine.group } }),
  'PUT /api/things/:imei/record groupId': ({ it }) => ({ body: { ...DEVICE, groupId: it.group } }),
  'POST /api/things groupId': ({ it, server }) => ({
    body: { imei: server.newImei(), ...DEVICE, groupId: it.group },
  }),
  'POST /api/things/:imei/tracker path': ({ server }) => ({ body: { imei: server.newImei() } }),
  'POST /api/things/:imei/retire path': () => ({ body: { reason: '' } }),
  'POST /api/unknown-devices/:imei knocked': ({ server }) => {
    const imei = server.newImei()
    server.unknownDevices.note({ imei, door: 'teltonika', address: '10.0.0.1', companyId: null })
    return { params: { imei } }
  },
  'POST /api/unknown-devices/:imei silent': ({ server }) => ({ params: { imei: server.newImei() } }),
  'POST /api/device-imports -': () => LIST,
  'GET /api/device-imports/:id/remarks guessed': () => ({ query: { of: 'faults' } }),
  'POST /api/device-imports/:id/apply guessed': () => ({ body: {} }),
  'POST /api/things/:imei/shares path': () => ({ body: { ...data, days: 7 } }),
  'DELETE /api/things/:imei/shares/:shareId path': ({ it }) => ({
    params: { imei: it.imei, shareId: shareOf(it.imei) },
  }),
  'POST /api/views own': () => ({ body: { name: 'Reefers', path: '/?q=reefer' } }),
  'POST /api/views group': () => ({ body: { name: 'Reefers', path: '/?q=reefer', isGroups: true } }),
  'DELETE /api/views/:viewId path': ({ it }) => ({ params: { viewId: viewOf(it.group) } }),
  'GET /api/loads/:loadId path': ({ it }) => ({ params: { loadId: loadOf(it.imei) } }),
  'GET /api/loads/:loadId/pdf path': ({ it }) => ({ params: { loadId: loadOf(it.imei) } }),
  'POST /api/loads imei': ({ it }) => ({
    body: { imei: it.imei, reference: 'Lot 8', profileId: 'chilled-food' },
  }),
  'POST /api/load-lists -': () => LOAD_LIST,
  'POST /api/loads/:loadId/close path': ({ it }) => ({ params: { loadId: loadOf(it.imei) } }),
  'POST /api/loads/:loadId/review path': ({ it }) => ({ params: { loadId: loadOf(it.imei) } }),
  'POST /api/loads/:loadId/release path': ({ it }) => ({
    params: { loadId: reviewedLoadOf(it.imei) },
    body: { reason: 'Stability data' },
  }),
  'POST /api/loads/:loadId/reject path': ({ it }) => ({
    params: { loadId: reviewedLoadOf(it.imei) },
    body: { reason: 'Too warm' },
  }),
  'GET /api/things/:imei/budget-tracks path': () => ({ query: { data } }),
  'GET /api/profiles/:profileId shipped': () => ({ params: { profileId: 'quick-frozen' } }),
  'GET /api/profiles/:profileId/history shipped': () => ({ params: { profileId: 'quick-frozen' } }),
  'POST /api/profiles -': () => ({ body: { ...SHIPPED_PROFILES['quick-frozen'], name: 'Ice cream' } }),
  'PUT /api/profiles/:profileId shipped': () => ({
    params: { profileId: 'quick-frozen' },
    body: { ...SHIPPED_PROFILES['quick-frozen'], name: 'Ice cream' },
  }),
  'PUT /api/groups/:groupId/profile path': () => ({ body: { profileId: 'quick-frozen' } }),
  'PUT /api/things/:imei/profile path': () => ({ body: { profileId: 'quick-frozen' } }),
  'GET /api/shared/:token sent': ({ server }) => ({
    params: { token: server.access.shareLinks.tokenOf(shareOf(IDS.sibling.imei)) },
  }),
  'GET /api/asof -': () => ({ query: { at: new Date(START).toISOString() } }),
  'GET /api/groups/:groupId/shift path': () => ({ query: { since: new Date(START).toISOString() } }),
  'POST /api/groups/:groupId/limits-trials path': () => ({
    // a time without length: it is refused where the group is seen, so that nothing is tried at once
    body: {
      quantity: 'temperature',
      startDate: new Date(START).toISOString(),
      endDate: new Date(START).toISOString(),
      candidates: [CANDIDATE],
    },
  }),
  'GET /api/groups/:groupId/limits-trial-estimate path': () => ({
    query: { startDate: new Date(START - 3_600_000).toISOString(), endDate: new Date(START).toISOString() },
  }),
  'GET /api/groups/:groupId/limits-trials/:trialId path': ({ it }) => ({ params: ofTrial(it) }),
  'POST /api/groups/:groupId/limits-trials/:trialId/cancel path': ({ it }) => ({ params: ofTrial(it) }),
  'POST /api/groups/:groupId/limits-trials/:trialId/apply path': ({ it }) => ({
    params: ofTrial(it),
    body: { candidate: 0 },
  }),
  'GET /api/asof/event -': () => ({ query: { at: new Date(START).toISOString(), direction: 'before' } }),
  'GET /api/things/:imei/observations path': () => ({ query: { data } }),
  'GET /api/things/:imei/observations-aside path': () => ({ query: { data } }),
  'GET /api/things/:imei/observations-logs path': () => ({ query: { data } }),
  'GET /api/things/:id/tempObservations-logs path': () => ({ query: { data } }),
  'GET /api/things/gdChart/stats/:id path': ({ it }) => ({ params: { id: it.imei }, query: { data } }),
  'POST /api/things/tripsChart/stats things': ({ it }) => ({ body: { ...data, things: [it.imei] } }),
  'POST /api/things/fuel/stats things': ({ it }) => ({ body: { ...data, things: [it.imei] } }),

  'POST /api/users/notifications/:id/comments path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
    body: { comment: 'On it' },
  }),
  'POST /api/users/notifications/:id/acknowledge path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
    body: {},
  }),
  'POST /api/things/glances things': ({ it }) => ({ body: { things: [it.imei] } }),
  'POST /api/users/notifications/:id/take path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
  }),
  'POST /api/users/notifications/:id/release path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
  }),
  'POST /api/things/:imei/violations/:type/shelve path': ({ it }) => ({
    params: { imei: it.imei, type: 'HIGH_TEMPERATURE_DETECTED' },
    body: { minutes: 60, reason: 'Defrost' },
  }),
  'POST /api/things/:imei/violations/:type/unshelve path': ({ it }) => ({
    params: { imei: it.imei, type: 'HIGH_TEMPERATURE_DETECTED' },
  }),
  'GET /api/users/notifications/:id/why path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
  }),
  'GET /api/users/notifications/:id/case path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
  }),
  // it lasts, and can be closed once it is over
  'POST /api/users/notifications/:id/case/close path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
    body: { reason: 'Door open while loading', meaning: 'reviewed', password: PASSWORD },
  }),
  'POST /api/users/notifications/:id/case/report path': ({ it, server }) => ({
    params: { id: server.notificationOf(it.imei) },
  }),
  'GET /api/things/passengercheck/:thingId/:isPassenger path': ({ it }) => ({
    params: { thingId: it.imei, isPassenger: 'true' },
  }),
  'POST /api/groups/:groupId/notifications path': () => ({ body: data }),
  'POST /api/groups/:groupId/notifications things': ({ it }) => ({ body: { ...data, things: [it.imei] } }),
  'POST /api/groups/:groupId/violationstats path': () => ({ body: { ...data, ...NO_CHOICE } }),
  'POST /api/groups/:groupId/violationstats devices': ({ it }) => ({
    body: { ...data, ...NO_CHOICE, devices: [it.imei] },
  }),
  'POST /api/groups/:groupId/violation-times path': () => ({
    body: { ...data, ...NO_CHOICE, timeZone: 'Asia/Karachi' },
  }),
  'POST /api/groups/:groupId/violation-times devices': ({ it }) => ({
    body: { ...data, ...NO_CHOICE, devices: [it.imei], timeZone: 'Asia/Karachi' },
  }),
  'POST /api/groups/:groupId/summaryChart path': () => ({ body: data }),

  'POST /api/groups parentId': ({ it, mine }) => ({ body: groupBody(mine, { parentId: it.group }) }),
  'POST /api/groups companyId': ({ it, mine }) => ({ body: groupBody(mine, { companyId: it.company }) }),
  'POST /api/groups things': ({ it, mine }) => ({ body: groupBody(mine, { things: [it.imei] }) }),
  'PUT /api/groups/:id path': () => ({ body: { name: 'New' } }),
  'PUT /api/groups/:id/update path': () => ({ body: GROUP }),
  'PUT /api/groups/:id/update parentId': ({ it }) => ({
    params: { id: IDS.child.group },
    body: { ...GROUP, parentId: it.group },
  }),
  'PUT /api/groups/:id/update things': ({ it }) => ({
    params: { id: IDS.child.group },
    body: { ...GROUP, things: [it.imei] },
  }),
  'PUT /api/groups/:id/image path': () => PICTURE,
  'PUT /api/groups/:id/fatigue-threshold path': () => ({ body: { enabled: true } }),
  'PUT /api/companies/:companyId/drivingScoreSetting path': () => ({
    body: {
      drivingScoreSetting: {
        harshAcceleration: true,
        harshBrake: false,
        overSpeeding: true,
        sharpTurn: true,
      },
    },
  }),
  'PUT /api/companies/:companyId/headAddress path': () => ({ body: { address: 'keeper@indus.example' } }),
  'GET /api/images/:image kept': () => ({ params: { image: IMAGE } }),
  'GET /api/images/:image guessed': () => ({ params: { image: GUESSED } }),

  'POST /api/users groupId': ({ it }) => ({
    body: { ...PERSON, email: 'new@indus.example', groupId: it.group },
  }),
  'PUT /api/users/:id path': ({ mine }) => ({ body: { ...PERSON, groupId: mine.group } }),
  'PUT /api/users/:id groupId': ({ it }) => ({ body: { ...PERSON, groupId: it.group } }),
  'POST /api/users/resendLink id': ({ it }) => ({ body: { id: it.user } }),
  'PUT /api/users/:id/notifications/settings path': () => ({
    body: Object.fromEntries(Object.keys(NotificationSettings.schema).map((name) => [name, false])),
  }),
  'PUT /api/users/updateSmsEmailSetting/:id path': ({ it }) => ({
    params: { id: it.user },
    body: { sms: SWITCHES, email: SWITCHES },
  }),

  ...Object.fromEntries(
    ['', '/distanceReport', '/powerReport', '/generateTemperatureReport'].flatMap((of): [string, Asks][] => {
      const route = `POST /api/groups/:groupId/company/:companyId/reports${of}`
      return [
        [`${route} path`, ({ mine }) => ({ body: selection({ things: [mine.imei] }) })],
        [`${route} things`, ({ it }) => ({ body: selection({ things: [it.imei] }) })],
        [`${route} groups`, ({ it }) => ({ body: selection({ groups: [it.group] }) })],
      ]
    }),
  ),
  'POST /api/groups/:groupId/company/:companyId/reports/observationReport path': ({ mine }) => ({
    body: { vehicels: [mine.imei], interval: data },
  }),
  'POST /api/groups/:groupId/company/:companyId/reports/observationReport things': ({ it }) => ({
    body: { vehicels: [it.imei], interval: data },
  }),
  'POST /api/reports/trips companyId': ({ it, mine }) => ({
    query: { token: GUESSED, companyId: it.company },
    body: selection({ things: [mine.imei] }),
  }),
  'POST /api/reports/trips things': ({ it, mine }) => ({
    query: { token: GUESSED, companyId: mine.company },
    body: selection({ things: [it.imei] }),
  }),
  'POST /api/reports/trips groups': ({ it, mine }) => ({
    query: { token: GUESSED, companyId: mine.company },
    body: selection({ groups: [it.group] }),
  }),
  'POST /api/reports/:id/retry path': ({ it }) => ({ params: { id: failedReport(it.group) } }),
  'POST /api/reports/:id/cancel path': ({ it }) => ({ params: { id: waitingReport(it.group) } }),
  'POST /api/reports/:id/versions path': ({ it }) => ({ params: { id: outdatedReport(it.group) } }),
  'GET /api/reports/:id/seal path': ({ it }) => ({ params: { id: outdatedReport(it.group) } }),
  'GET /api/seals/consistency -': () => ({ query: { from: 1 } }),
  'GET /api/seals/inclusion/:seq -': () => ({ params: { seq: '1' } }),
  'GET /api/reports/files/:id signed': ({ server }) => signedFile(server),
  'GET /api/reports/files/:id guessed': ({ server }) => {
    const { params, query } = signedFile(server)
    return { params, query: { ...query, signature: GUESSED } }
  },
  'POST /api/groups/scheduleReport groups': ({ it, mine }) => ({
    body: scheduleBody(mine, { groups: [it.group] }),
  }),
  'POST /api/groups/scheduleReport vehicles': ({ it, mine }) => ({
    body: scheduleBody(mine, { vehicles: [it.imei] }),
  }),
  'PUT /api/groups/scheduleReport/:id path': ({ it }) => ({
    params: { id: scheduleOf(it.group) },
    body: scheduleBody(it, {}),
  }),
  'PUT /api/groups/scheduleReport/:id groups': ({ it, mine }) => ({
    params: { id: scheduleOf(mine.group) },
    body: scheduleBody(mine, { groups: [it.group] }),
  }),
  'PUT /api/groups/scheduleReport/:id vehicles': ({ it, mine }) => ({
    params: { id: scheduleOf(mine.group) },
    body: scheduleBody(mine, { vehicles: [it.imei] }),
  }),
  'DELETE /api/groups/deleteScheduleReport/:id path': ({ it }) => ({ params: { id: scheduleOf(it.group) } }),

  'POST /api/admin/companies -': () => ({ body: { name: 'New', timeZone: 'UTC' } }),
  'PUT /api/admin/companies/:companyId path': () => ({ body: { retentionDays: 30 } }),
  'POST /api/admin/companies/:companyId/suspend path': () => ({ body: { reason: 'Not paid' } }),
  'POST /api/admin/companies/:companyId/resume path': () => ({ body: { reason: '' } }),
  'POST /api/admin/companies/:companyId/managers path': () => ({
    body: { firstName: 'Sara', lastName: 'Khan', email: 'sara@new.example', phone: '03001234567' },
  }),
  'POST /api/companies/:companyId/keys path': () => ({
    body: { name: 'Gateway', scopes: ['ingest'], expiresAt: null },
  }),
  'POST /api/companies/:companyId/keys/:keyId/rotate path': ({ it }) => ({
    params: { companyId: it.company, keyId: keyOfCompany(it.company) },
    body: { overlapHours: 24 },
  }),
  'DELETE /api/companies/:companyId/keys/:keyId path': ({ it }) => ({
    params: { companyId: it.company, keyId: keyOfCompany(it.company) },
  }),

  'GET /api/events key': () => ({ headers: { 'x-device-key': DEVICE_KEY } }),
  'GET /api/events no-key': () => ({ headers: { 'x-device-key': 'guess' } }),
  'POST /api/ingest key': ({ it }) => ({ headers: { 'x-device-key': DEVICE_KEY }, body: reading(it) }),
  'POST /api/ingest no-key': ({ it }) => ({ headers: { 'x-device-key': 'guess' }, body: reading(it) }),

  'POST /sim/clock': () => ({ body: { speed: 2 } }),
  'POST /sim/faults': () => ({ body: { imei: SIM_IMEI, fault: 'offline', forSeconds: 60 } }),
  'GET /sim/faults/:id': () => ({ params: { id: 'f0' } }),
  'DELETE /sim/faults/:id': () => ({ params: { id: 'f0' } }),
  'POST /sim/companies/:companyId': () => ({ params: { companyId: 'indus' }, body: { suspended: true } }),
  'POST /sim/users/:userName': () => ({ params: { userName: 'operator' }, body: { logout: true } }),
  'POST /sim/links': () => ({ body: { fault: 'reorder', forSeconds: 60 } }),
  'DELETE /sim/links/:id': () => ({ params: { id: 'l0' } }),
  'POST /sim/actions/:id/undo': () => ({ params: { id: 'a1' } }),
  'POST /sim/lab/runs': () => ({ body: { machine: 'session', transition: 'idle: go → on' } }),
  'GET /sim/lab/runs/:id': () => ({ params: { id: 'r1' } }),
  'DELETE /sim/lab/runs/:id': () => ({ params: { id: 'r1' } }),
  'POST /sim/open': () => ({ body: { scenario: 'test' } }),
  'POST /sim/tokens/:token/expire': () => ({ params: { token: 't0ken' } }),
}

/** The ids of a path, by their names; `:id` is of what stands before it. */
function inPath(path: string, ids: Ids): Record<string, string> {
  const subject = /\/(\w+)\/:id\b/.exec(path)?.[1]
  return {
    groupId: ids.group,
    companyId: ids.company,
    imei: ids.imei,
    token: GUESSED,
    userId: ids.user,
    id: { groups: ids.group, users: ids.user, things: ids.imei }[subject ?? ''] ?? 'x',
  }
}

/** Where the id stands of what is also asked as of a time. */
const PLACES = ['path', 'things']

/** What the table wants somebody to send, ready to be sent. */
export function requestOf(server: GateServer, row: Pick<Row, 'route' | 'tried'>, who: Who, whose: Whose) {
  const { route, tried } = row
  const [method = '', path = ''] = route.split(' ')
  const badge = server.badge(who)
  const [it, mine] = [IDS[whose], HOME[who]]
  const isThen = tried === 'then'
  const where = isThen ? (PLACES.find((place) => `${route} ${place}` in REQUESTS) ?? 'path') : tried
  const asks = REQUESTS[`${route} ${where}`] ?? REQUESTS[route]
  const ask = asks?.({ it, mine, badge, server }) ?? {}
  const { body, headers, from } = ask
  const query = isThen ? { ...ask.query, asOf: new Date(START).toISOString() } : ask.query
  const params = { ...inPath(path, where === 'path' ? it : mine), ...ask.params }
  return {
    method: method as 'GET',
    url: `${filled(route, path, params)}${searchOf(query)}`,
    headers: {
      ...(badge.token === undefined ? {} : { authorization: `Bearer ${badge.token}` }),
      ...headers,
    },
    remoteAddress: from ?? (tried === 'here' ? '127.0.0.1' : server.newAddress()),
    ...(body === undefined ? {} : { payload: body as object }),
  } satisfies InjectOptions
}

function filled(route: string, path: string, params: Record<string, string>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => {
    const value = params[name]
    if (value === undefined) throw new Error(`${route}: requests.ts gives no ${name}`)
    return encodeURIComponent(value)
  })
}

function searchOf(query: Record<string, unknown> = {}): string {
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]) => [
      name,
      typeof value === 'object' ? JSON.stringify(value) : String(value),
    ]),
  )
  return search.size === 0 ? '' : `?${search}`
}
