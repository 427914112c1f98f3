import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { buildTestServer, START, type TestServer } from '../../../server/api/http/testing/test-app.ts'
import { hashSecret, writeRefreshToken } from '../../../server/auth/refresh-tokens.ts'
import { linkIssued } from '../../../server/commands/access/email-links.ts'
import { DEVICE_KEY } from '../../../server/commands/testing/company-facts.ts'
import type { KeptTrial } from '../../../server/jobs/trials/trials.ts'
import { encodeFrame } from '../../../server/store/chunks/fleet-frame.ts'
import { trialFileName } from '../../../server/store/report-files.ts'
import { company, deviceKey, group, user, violationOpened } from '../../../server/testing/facts.ts'
import { labPlugin } from '../../routes/lab.ts'
import { scenarioSchemaPlugin } from '../../routes/scenario-schema.ts'
import { simPlugin } from '../../routes/sim.ts'
import { fakeDirector, IMEI } from '../../routes/testing/fake-director.ts'
import { fakeLab } from '../../routes/testing/fake-lab.ts'
import { HOME, IDS, WHO, type Who } from './who.ts'

const HOUR = 3_600_000
const MINUTE = 60_000
export const keyOfCompany = (companyId: string): string => `k-${companyId}`
/** SHA-256 of the one file there is, a byte long. */
const ONE_BYTE = createHash('sha256').update(Uint8Array.of(1)).digest('hex')
const SIM_TOKEN = 'token-of-the-director'

export const FORGETFUL = 'u8'
const INVITED = 'u9'
const LATE = 'u11'
/** What a picture somebody gave is called. */
export const IMAGE = 'P'.repeat(43)

export const MADE_REPORT = 'r-made'
export const failedReport = (groupId: string): string => `r-${groupId}`
export const waitingReport = (groupId: string): string => `waiting-${groupId}`
/** The link to a device. */
export const shareOf = (imei: string): string => `sh-${imei}`
export const viewOf = (groupId: string): string => `vw-${groupId}`
/** The load on a device, and one that was on it before and is in review. */
export const loadOf = (imei: string): string => `ld-${imei}`
export const reviewedLoadOf = (imei: string): string => `rv-${imei}`
export const outdatedReport = (groupId: string): string => `o-${groupId}`
export const scheduleOf = (groupId: string): string => `s-${groupId}`

const FAR = 9_999_999_999_999
/** Limits that were tried for a group. */
export const trialOf = (groupId: string): string => `t-${groupId}-${FAR}`
export const CANDIDATE = { low: 2, high: 8, delaySeconds: 60, margin: 0.5 }

/** What is kept of them, by the name of the file; undefined: it is none of these. */
function trialFile(name: string): Uint8Array | undefined {
  const ids = Object.values(IDS).find(({ company, group }) => trialFileName(company, trialOf(group)) === name)
  if (ids === undefined) return undefined
  const groupId = ids.group
  const [from, to] = [new Date(START - HOUR).toISOString(), new Date(START).toISOString()]
  const figures = { episodes: 0, devices: 0, minutesOut: 0, told: 0, atNight: 0, floods: 0 }
  const beside = { missed: 0, missedSerious: 0, added: 0, medianLeadMinutes: null }
  const kept: KeptTrial = {
    companyId: ids.company,
    trial: {
      ...{ _id: trialOf(groupId), groupId, quantity: 'temperature', from, to, startedAt: to, userName: '' },
      ...{ candidates: [CANDIDATE], inForce: CANDIDATE, state: 'done', reason: null, done: 1, of: 1 },
    },
    result: {
      readings: 0,
      seconds: 0,
      inForce: figures,
      candidates: [{ ...figures, ...beside }],
      devices: [],
    },
  }
  return new TextEncoder().encode(JSON.stringify(kept))
}

/** What somebody shows when they ask. */
export type Badge = { token?: string; refreshToken?: string }

const sessionOf = (who: Who) => `s-${who}`
const secretOf = (who: Who) => `secret-of-${who}`
const isKnown = (who: Who) => who !== 'nobody'
/** Inside a hand-off the admin is still who they are. */
const personOf = (who: Who) => HOME[who === 'handed' ? 'admin' : who]

type Ended = Pick<NewFact & { type: 'report.completed' | 'report.failed' }, 'type' | 'data'>

/** A report that waits, or where it ended was begun. */
function reportFacts(companyId: string, groupId: string, reportId: string, ended?: Ended): NewFact[] {
  const origin = { at: START, companyId }
  return [
    {
      ...origin,
      type: 'report.requested',
      data: {
        ...{ reportId, groupId, kind: 'power', title: 'Power Report', things: [], groups: [groupId] },
        ...{ from: START - HOUR, to: START, types: null, minDistance: null },
        ...{ requestedBy: 'Ayesha', scheduleId: null, upTo: 1 },
      },
    },
    ...(ended
      ? ([
          { ...origin, type: 'report.started', data: { reportId } },
          { ...origin, ...ended },
        ] as NewFact[])
      : []),
  ]
}

const scheduleFact = (companyId: string, groupId: string): NewFact => ({
  type: 'schedule.created',
  at: START,
  companyId,
  data: {
    ...{ scheduleId: scheduleOf(groupId), groupId, groups: [groupId], vehicles: [] },
    ...{ interval: 'Daily', emails: ['ops@indus.example'], reportTypes: ['POWER_REPORT'] },
  },
})

const FACTS: NewFact[] = [
  company('frostline'),
  group('frostline', 'frostline', null),
  user('u7', 'frostline', 'frostline', 'nadia', { superAdmin: true }),
  user(FORGETFUL, 'indus', 'lahore', 'laila'),
  user(INVITED, 'indus', 'sindh', 'sana'),
  user(LATE, 'indus', 'empty', 'umar'),
  ...reportFacts('indus', 'indus', MADE_REPORT, {
    type: 'report.completed',
    data: {
      reportId: MADE_REPORT,
      files: [{ fileName: 'Power Report.xlsx', contentType: 'text/plain', bytes: 1, sha256: ONE_BYTE }],
    },
  }),
  ...Object.values(IDS).flatMap(({ company: companyId, group: groupId }): NewFact[] =>
    groupId === IDS.random.group
      ? []
      : [
          ...reportFacts(companyId, groupId, failedReport(groupId), {
            type: 'report.failed',
            data: { reportId: failedReport(groupId), reason: 'The disk is full' },
          }),
          ...reportFacts(companyId, groupId, outdatedReport(groupId), {
            type: 'report.completed',
            data: { reportId: outdatedReport(groupId), files: [] },
          }),
          ...reportFacts(companyId, groupId, waitingReport(groupId)),
          {
            ...{ type: 'report.outdated', at: START, companyId },
            data: { reportId: outdatedReport(groupId), readings: 7, upTo: 2 },
          } satisfies NewFact,
          scheduleFact(companyId, groupId),
        ],
  ),
  ...WHO.filter((who) => isKnown(who) && who !== 'reset').map((who): NewFact => {
    const { user: userId, company: companyId } = personOf(who)
    const session = {
      userId,
      sessionId: sessionOf(who),
      refreshHash: hashSecret(secretOf(who)),
      expiresAt: START + 7 * 24 * HOUR,
    }
    if (who !== 'handed') return { type: 'user.signed-in', at: START, companyId, data: session }
    const { company: entered, group: groupId } = HOME.handed
    return {
      type: 'session.handed-off',
      at: START,
      companyId: entered,
      by: userId,
      data: { ...session, companyId: entered, groupId },
    }
  }),
  {
    type: 'user.reset-begun',
    at: START,
    companyId: 'indus',
    data: { userId: HOME.reset.user, resetId: sessionOf('reset') },
  },
  {
    type: 'session.ended',
    at: START,
    companyId: 'indus',
    data: { userId: HOME.ended.user, sessionId: sessionOf('ended'), reason: 'signed-out' },
  },
]

/** Somebody who is at the top for a while, and what is below them; then both are taken from them. */
const movedTo = (userGroup: string, deviceGroup: string): NewFact[] => [
  {
    ...{ type: 'user.updated', at: START, companyId: 'indus' },
    data: { userId: HOME.child.user, groupId: userGroup },
  },
  {
    ...{ type: 'device.updated', at: START, companyId: 'indus' },
    data: { imei: IDS.sibling.imei, groupId: deviceGroup },
  },
]
const ABOVE = movedTo(HOME.top.group, IDS.own.group)
const TAKEN_AWAY = movedTo(HOME.child.group, IDS.sibling.group)

const PICTURE: NewFact = {
  type: 'image.stored',
  at: START,
  companyId: 'indus',
  data: { image: IMAGE, mediaType: 'image/webp', base64: '' },
}

/** A server with every route of the real one, and everybody at its gate with what they show. */
export async function openGateServer() {
  const server = await buildTestServer({
    facts: [...FACTS, deviceKey('indus', DEVICE_KEY), deviceKey('karakoram', 'key-of-karakoram')],
    join: registerSimulator,
    reportFile: async (name) => (name.startsWith('trial-') ? trialFile(name) : Uint8Array.of(1)),
  })
  const badges = new Map<Who, Badge>()
  for (const who of WHO) badges.set(who, isKnown(who) ? await badgeOf(who) : {})
  const links = await sendLinks(server)
  await server.store.log.append(`image-${IMAGE}`, [PICTURE])
  await makeShares(server)
  await saveViews(server)
  await openLoads(server)
  await happen(server, ABOVE)
  const notificationOf = await openViolations(server)
  await keepFrame(server)
  await happen(server, TAKEN_AWAY)
  await server.signRecord()
  let requests = 0
  let imeis = 0

  async function badgeOf(who: Who): Promise<Badge> {
    const { user: sub } = personOf(who)
    const { company: companyId, group: groupId } = HOME[who]
    const superAdmin = sub === HOME.admin.user
    const scope = who === 'reset' ? 'reset' : 'full'
    if (who === 'expired') server.clock.at -= 2 * HOUR
    const token = await server.access.tokens.sign(
      { sub, companyId, groupId, sid: sessionOf(who), scope, ...(superAdmin && { superAdmin }) },
      HOUR / 1000,
    )
    server.clock.at = START
    const refreshToken = writeRefreshToken({ userId: sub, sessionId: sessionOf(who), secret: secretOf(who) })
    return who === 'reset' ? { token } : { token, refreshToken }
  }

  return {
    ...server,
    badge: (who: Who): Badge => badges.get(who) ?? {},
    links,
    notificationOf,
    /** an IMEI nobody has */
    newImei: () => String(860_000_000_000_000 + ++imeis),
    /** an address nobody asked from yet: limits on how often one may ask are no part of the table */
    newAddress: () => `10.${(++requests >> 16) & 255}.${(requests >> 8) & 255}.${requests & 255}`,
  }
}

/** A link to each device, by whoever sits at the top of its company. */
async function makeShares({ access, store, readModels }: TestServer): Promise<void> {
  const { facts } = await store.log.append(
    'shares',
    readModels.directory.devices.map(({ imei, no, companyId }): NewFact => {
      const shareId = shareOf(imei)
      const data = {
        ...{ shareId, companyId, deviceNo: no, userId: companyId === 'indus' ? 'u1' : 'u3' },
        ...{ from: START - HOUR, to: START, expiresAt: START + 7 * 24 * HOUR },
        tokenHash: hashSecret(access.shareLinks.tokenOf(shareId)),
      }
      return { type: 'share.made', at: START, companyId, data }
    }),
  )
  await readModels.settled(facts.at(-1)?.seq ?? 0)
}

/** A view of each group, by somebody who sees no view of theirs any more. */
async function saveViews({ store, readModels }: TestServer): Promise<void> {
  const { facts } = await store.log.append(
    'views',
    [...readModels.directory.groups.values()].map(
      ({ _id, companyId }): NewFact => ({
        type: 'view.saved',
        at: START,
        companyId,
        data: { viewId: viewOf(_id), userId: 'gone', companyId, groupId: _id, name: 'All', path: '/' },
      }),
    ),
  )
  await readModels.settled(facts.at(-1)?.seq ?? 0)
}

/** A load on each device, and one before it that is in review. */
async function openLoads({ store, readModels }: TestServer): Promise<void> {
  const form = SHIPPED_PROFILES['chilled-food'] as ProfileForm
  const { facts } = await store.log.append('loads', [
    ...['indus', 'karakoram'].map(
      (companyId): NewFact => ({
        ...{ type: 'profile.set', at: START - HOUR, companyId },
        data: { companyId, profileId: 'chilled-food', version: 1, ...form },
      }),
    ),
    ...readModels.directory.devices.flatMap(({ imei, companyId }): NewFact[] => {
      const origin = { at: START - HOUR, companyId }
      const opened = { imei, profileId: 'chilled-food', version: 1, reference: 'Lot 7', userName: 'Ayesha' }
      const data = { loadId: reviewedLoadOf(imei), imei, userName: 'Ayesha' }
      return [
        { ...origin, type: 'load.opened', data: { ...opened, loadId: data.loadId } },
        { ...origin, type: 'load.closed', data: data },
        { ...origin, type: 'load.review-begun', data: data },
        { ...origin, type: 'load.opened', data: { ...opened, loadId: loadOf(imei) } },
      ]
    }),
  ])
  await readModels.settled(facts.at(-1)?.seq ?? 0)
}

async function happen({ store, readModels }: TestServer, facts: readonly NewFact[]): Promise<void> {
  await store.log.append('taken', [...facts])
  await readModels.settled(store.log.head())
}

/** What the fleet was at the start. */
async function keepFrame({ store, readModels: { seq, latest } }: TestServer): Promise<void> {
  await store.frames.put({ minute: START / MINUTE, seq, base: null, bytes: encodeFrame(latest) })
}

/** Every device is too warm; answers the notification of each, and one that nobody has for any other. */
async function openViolations({ store, readModels }: TestServer): Promise<(imei: string) => string> {
  const { facts } = await store.log.append(
    'judge',
    readModels.directory.devices.map(({ imei, companyId }) => violationOpened(imei, START, {}, companyId)),
  )
  await readModels.settled(store.log.head())
  const ids = new Map(facts.map(({ id, data }) => ['imei' in data ? data.imei : '', id]))
  return (imei) => ids.get(imei) ?? 'f999999'
}

/**
 * Mails to three people who have no say here: one is to come in for the first time, one was to and let it pass, and one
 * has forgotten their password.
 */
async function sendLinks({ access, store, readModels }: TestServer) {
  const indus = (userId: string) => ({ userId, companyId: 'indus' })
  const activation = access.emailLinks.make('activation')
  const late = { ...access.emailLinks.make('activation'), expiresAt: START - 1 }
  const password = access.emailLinks.make('password')
  await store.log.append('links', [
    linkIssued(indus(INVITED), START, activation),
    linkIssued(indus(LATE), START, late),
    linkIssued(indus(FORGETFUL), START, password),
  ])
  await readModels.settled(store.log.head())
  const { tokenOf, codeOf } = access.emailLinks
  return {
    activation: tokenOf(activation.linkId),
    late: tokenOf(late.linkId),
    password: tokenOf(password.linkId),
    code: codeOf(password.linkId),
  }
}

export type GateServer = Awaited<ReturnType<typeof openGateServer>>

/** What a simulator puts onto the server: its calls, and those of the lab. */
async function registerSimulator(app: FastifyInstance): Promise<void> {
  const { director, deps } = fakeDirector(SIM_TOKEN)
  await director.faults.inject({ imei: IMEI, fault: 'offline', forSeconds: 60 })
  await director.network.begin({ fault: 'cut', forSeconds: 60 })
  await director.advance(1)
  await app.register(simPlugin, deps)
  await app.register(scenarioSchemaPlugin)
  await app.register(labPlugin, fakeLab(SIM_TOKEN))
}
