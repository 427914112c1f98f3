import { randomUUID } from 'node:crypto'
import type {
  AdminReply,
  AdminRequest,
  AdminRequestOf,
  OperationAnswer,
  OperationName,
} from '#machines/contracts/administration.ts'
import type { Clock } from '#machines/contracts/clock.ts'
import type { NewLink } from '#machines/contracts/commands.ts'
import { administratorsOf } from '#machines/projections/administrators.ts'
import { type DeviceKey, isGood, keysOfCompany } from '#machines/projections/device-keys.ts'
import {
  type Company,
  type Directory,
  deviceByImei,
  type User,
  userByLogin,
} from '#machines/projections/directory.ts'
import { csvLines } from '#machines/rules/csv.ts'
import type { EmailLinks } from '../auth/email-links.ts'
import { hashOfKey } from '../auth/key-of.ts'
import { newSecret } from '../auth/refresh-tokens.ts'
import type { SealKeyPlace } from '../auth/seal-key.ts'
import { createAdministrator } from '../commands/access/administrators.ts'
import { changeSuspension } from '../commands/access/companies.ts'
import { issueLink } from '../commands/access/email-links.ts'
import { topGroup } from '../commands/access/handoff.ts'
import { createCompany } from '../commands/companies/create-company.ts'
import { rotateDeviceKey } from '../commands/companies/device-keys.ts'
import type { Refused } from '../commands/decision.ts'
import { columnsOf, type ImportRow, planImport, rowOf } from '../commands/devices/plan-import.ts'
import { IS_RETIRED, type Registrar, registerDevices } from '../commands/devices/register-devices.ts'
import { updateDevice } from '../commands/devices/update-device.ts'
import type { Execute, Outcome } from '../commands/execute.ts'
import { STRUCTURE } from '../commands/structure.ts'
import { CannotSign, rotateSealKey } from '../jobs/seals/keys.ts'
import type { EventLog } from '../store/store.ts'

/** What is done for whoever runs the server, on its machine. The commands are those of HTTP, by nobody (`by` null). */
export type Administration = {
  /** Rejects with StoreUnavailable */
  run(request: AdminRequest): Promise<AdminReply>
}

type Deps = {
  directory: Directory
  log: Pick<EventLog, 'head' | 'append' | 'readFacts'>
  emailLinks: Pick<EmailLinks, 'make' | 'tokenOf'>
  execute: Execute
  clock: Clock
  /** where the key lies that signs the record */
  sealKey: SealKeyPlace
  /** what links start with */
  publicUrl: string
}

/** A printed link is good for an hour, ms. */
const LINK_MS = 3_600_000

/** Not followed; the message is for whoever gave the command. */
class NotFollowed extends Error {
  readonly refused: { status: number; message: string; path: string | null }
  constructor(status: number, message: string, path: string | null = null) {
    super(message)
    this.refused = { status, message, path }
  }
}

type Run<N extends OperationName> = (
  deps: Deps,
  data: AdminRequestOf<N>['data'],
) => OperationAnswer<N> | Promise<OperationAnswer<N>>

const RUN: { [N in OperationName]: Run<N> } = {
  'create-admin': async (deps, data) => {
    const link = printedLink(deps, 'activation')
    followed(
      await deps.execute(
        STRUCTURE,
        { type: 'administrator.create', by: null, data: { ...data, userId: `u-${randomUUID()}`, link } },
        createAdministrator,
      ),
    )
    return linkAnswer(deps, userByLogin(deps.directory, data.email) as User, link)
  },
  'reset-password': async (deps, { user: login }) => {
    const user = userByLogin(deps.directory, login)
    if (user === undefined) throw new NotFollowed(404, `There is no user ${login}`, 'user')
    const link = printedLink(deps, user.passwordHash === null ? 'activation' : 'password')
    followed(
      await deps.execute(
        `user-${user._id}`,
        { type: 'link.issue', by: null, data: { userId: user._id, asked: login, link } },
        issueLink,
      ),
    )
    return linkAnswer(deps, user, link)
  },
  list: ({ directory, log }) => ({
    administrators: administratorsOf(directory).map(({ userName, email, passwordHash }) => ({
      userName,
      email,
      hasPassword: passwordHash !== null,
    })),
    companies: [...directory.companies.values()].map((company) => summaryOf(directory, company)),
    head: log.head(),
  }),
  'create-company': async ({ execute, directory }, wanted) => {
    const [companyId, groupId] = [`c-${randomUUID()}`, `g-${randomUUID()}`]
    const deviceKey = newSecret()
    const data = { ...wanted, companyId, groupId, deviceKeyHash: hashOfKey(deviceKey) }
    followed(await execute(STRUCTURE, { type: 'company.create', by: null, data }, createCompany))
    const { name, timeZone } = directory.companies.get(companyId) as Company
    return { _id: companyId, name, timeZone, groupId, deviceKey }
  },
  'rotate-key': rotateKey,
  'import-devices': importDevices,
  'set-clock': setClock,
  suspend: (deps, data) => changed(deps, 'company.suspend', data),
  resume: (deps, data) => changed(deps, 'company.resume', data),
  'rotate-seal-key': rotateKeyOfRecord,
}

/** Runs one operation of the command line. What a decider refuses is an answer (`refused`); any other error is thrown. */
export const createAdministration = (deps: Deps): Administration => ({
  async run({ operation, data }) {
    try {
      const run = RUN[operation] as Run<OperationName>
      return { answer: await run(deps, data as never) }
    } catch (error) {
      if (error instanceof NotFollowed) return { refused: error.refused }
      throw error
    }
  },
})

async function rotateKeyOfRecord(
  { log, sealKey: place, clock }: Deps,
  { lost }: { lost: boolean },
): Promise<OperationAnswer<'rotate-seal-key'>> {
  try {
    const { keyId, endorsement } = await rotateSealKey({ log, place, clock }, lost)
    return { keyId, previous: endorsement?.previous ?? null, place: place.name }
  } catch (error) {
    if (error instanceof CannotSign) throw new NotFollowed(409, error.message)
    throw error
  }
}

async function changed(
  { directory, execute }: Deps,
  type: 'company.suspend' | 'company.resume',
  { company: named, reason }: { company: string; reason?: string | undefined },
): Promise<OperationAnswer<'suspend'>> {
  const { companyId, name } = companyBy(directory, named)
  const { facts } = followed(
    await execute(
      `company-${companyId}`,
      { type, by: null, data: { companyId, ...(reason !== undefined && { reason }) } },
      changeSuspension,
    ),
  )
  return { _id: companyId, name, suspended: type === 'company.suspend', isChanged: facts.length > 0 }
}

/** Another key in place of one that is named, or of the only one there is. */
async function rotateKey(
  { directory, execute, clock }: Deps,
  { company: named, key: keyNamed, overlapHours }: AdminRequestOf<'rotate-key'>['data'],
): Promise<OperationAnswer<'rotate-key'>> {
  const { companyId, name } = companyBy(directory, named)
  const { keyId, name: keyName } = keyBy(directory, companyId, keyNamed, clock.now())
  const deviceKey = newSecret()
  const data = { companyId, keyId, newKeyId: `k-${randomUUID()}`, hash: hashOfKey(deviceKey), overlapHours }
  followed(
    await execute(`company-${companyId}`, { type: 'device-key.rotate', by: null, data }, rotateDeviceKey),
  )
  const oldUntil = directory.keys.byId.get(keyId)?.expiresAt ?? clock.now()
  return { _id: companyId, name, keyName, deviceKey, oldUntil }
}

function keyBy({ keys }: Directory, companyId: string, named: string | undefined, now: number): DeviceKey {
  const good = keysOfCompany(keys, companyId).filter((key) => isGood(key, now))
  const wanted = named?.trim().toLowerCase()
  const found = good.filter(
    ({ keyId, name }) => wanted === undefined || keyId === named || name.toLowerCase() === wanted,
  )
  const [only, another] = found
  if (only !== undefined && another === undefined) return only
  const those = good.map(({ keyId, name }) => `${name} (${keyId})`).join(', ')
  if (good.length === 0) throw new NotFollowed(409, 'The company has no key that is good', 'company')
  throw new NotFollowed(only === undefined ? 404 : 409, `Say which key: ${those}`, 'key')
}

async function setClock(
  { directory, execute }: Deps,
  { imei, clockOffset }: AdminRequestOf<'set-clock'>['data'],
): Promise<OperationAnswer<'set-clock'>> {
  const device = deviceByImei(directory, imei)
  if (device === undefined) throw new NotFollowed(404, `There is no device ${imei}`, 'imei')
  if (device.retired !== null) throw new NotFollowed(409, IS_RETIRED, 'imei')
  const topId = topGroup(directory, device.companyId)?._id ?? ''
  const { facts } = followed(
    await execute(
      STRUCTURE,
      { type: 'device.update', by: null, data: { imei: device.imei, clockOffset, ifVersion: null } },
      (current, command) => updateDevice(current, command, topId),
    ),
  )
  return { imei: device.imei, name: device.name, clockOffset, isChanged: facts.length > 0 }
}

/** Lines a command, so that others have their turn between two. */
const AT_ONCE = 5000

/** Takes the devices of a list into a company, all of them or, where it is said, the good lines. */
async function importDevices(
  { directory, execute }: Deps,
  { company: named, csv, keepGood, source }: AdminRequestOf<'import-devices'>['data'],
): Promise<OperationAnswer<'import-devices'>> {
  const { companyId } = companyBy(directory, named)
  const topId = topGroup(directory, companyId)?._id
  if (topId === undefined) throw new NotFollowed(409, `${named} has no group to put devices in`, 'company')
  const who: Registrar = { userId: '', companyId, topId, isSuperAdmin: true }
  const { devices, known, differing, faults, warnings } = planImport(rowsOf(csv), directory, who)
  const isTaken = keepGood || faults.length === 0
  let registered = 0
  for (let from = 0; isTaken && from < devices.length; from += AT_ONCE) {
    const { facts } = followed(
      await execute(
        STRUCTURE,
        {
          type: 'device.register',
          by: null,
          data: { devices: devices.slice(from, from + AT_ONCE), source, skipKnown: true },
        },
        (current, command) => registerDevices(current, command, who),
      ),
    )
    registered += facts.length
  }
  return { registered, known, differing, faults, warnings }
}

/** @throws NotFollowed */
function rowsOf(csv: string): ImportRow[] {
  const [heading = [], ...lines] = linesOf(csv)
  const columns = columnsOf(heading)
  if (typeof columns === 'string') throw new NotFollowed(422, columns, 'csv')
  return lines.flatMap((cells, i) => rowOf(cells, columns, i + 2) ?? [])
}

function linesOf(csv: string): string[][] {
  try {
    return csvLines(csv)
  } catch (error) {
    throw new NotFollowed(422, `the file cannot be read, ${(error as Error).message}`, 'csv')
  }
}

/** The company of an id, or of a name that one alone has. @throws NotFollowed */
function companyBy({ companies }: Directory, named: string): Company {
  const known = companies.get(named)
  if (known !== undefined) return known
  const wanted = named.trim().toLowerCase()
  const alike = [...companies.values()].filter(({ name }) => name.toLowerCase() === wanted)
  const [first, second] = alike
  if (first === undefined) throw new NotFollowed(404, `There is no company ${named}`, 'company')
  if (second !== undefined)
    throw new NotFollowed(409, `${alike.length} companies are named ${named}: give the id of one`, 'company')
  return first
}

function summaryOf({ users, groups, devices }: Directory, { companyId, name, suspended }: Company) {
  const count = (all: Iterable<{ companyId: string }>): number => {
    let found = 0
    for (const each of all) if (each.companyId === companyId) found++
    return found
  }
  return {
    _id: companyId,
    name,
    suspended,
    users: count(users.values()),
    groups: count(groups.values()),
    devices: count(devices),
  }
}

const printedLink = ({ emailLinks, clock }: Deps, purpose: NewLink['purpose']): NewLink => ({
  ...emailLinks.make(purpose),
  expiresAt: clock.now() + LINK_MS,
  isPrinted: true,
})

function linkAnswer({ emailLinks, publicUrl }: Deps, { _id, userName, email }: User, link: NewLink) {
  const token = emailLinks.tokenOf(link.linkId)
  const page = link.purpose === 'activation' ? `user/activate/${token}` : `set-password/${_id}/${token}`
  return { userName, email, link: `${publicUrl}/${page}`, expiresAt: link.expiresAt }
}

function followed(outcome: Outcome): Outcome {
  if (outcome.refused)
    throw new NotFollowed(outcome.refused.status, outcome.refused.message, pathIn(outcome.refused))
  return outcome
}

const pathIn = ({ extra }: Refused): string | null => (typeof extra?.path === 'string' ? extra.path : null)
