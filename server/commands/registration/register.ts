import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import type { Scenario, ScenarioCompany, ScenarioUser } from '#machines/contracts/scenario.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { hashOfKey } from '../../auth/key-of.ts'
import type { ReadModels } from '../../read-models/read-models.ts'
import { appendDecided, type Decided, type Deciding } from '../append-decided.ts'
import { decided } from '../decision.ts'
import { STRUCTURE } from '../structure.ts'

/** What of a scenario the server has to know: who there is. The rest is the device world's. */
export type Registration = Pick<Scenario, 'companies' | 'users' | 'password' | 'timeZone'> & {
  devices: readonly DeviceRegistration[]
}
/** A device before it has its number. */
export type DeviceRegistration = Omit<FactData<'device.registered'>, 'no'>

type Deps = Deciding & {
  readModels: Pick<ReadModels, 'directory'>
  hashPassword(password: string): Promise<string>
}

const DEVICES_AN_APPEND = 10_000

/**
 * Registers what the scenario has and the log has not: at the first start everything, later only what was added.
 * Companies come whole (with groups and users) or not at all, so what was deleted since stays deleted; devices get
 * numbers in the order given, after the highest there is. Cut off half way, the next start goes on; of several nodes that
 * start at once one registers each, and the others find it done.
 * @param at instant of the registrations, epoch ms
 * @throws StoreUnavailable
 */
export async function register({ log, readModels, hashPassword }: Deps, wanted: Registration, at: number) {
  const { directory } = readModels
  const add = (stream: string, facts: () => NewFact[]) =>
    appendDecided({ log, readModels }, stream, () => decided(...facts()))
  const isThere = (id: string) => directory.companies.has(id)

  // one password for all accounts of a scenario: hashed once, or a start would take seconds
  const isNew = wanted.companies.some(({ id }) => !isThere(id))
  const hash = isNew ? await hashPassword(wanted.password) : ''
  for (const company of wanted.companies) {
    if (isThere(company.id)) continue
    const users = wanted.users.filter((user) => user.companyId === company.id)
    await add(`company-${company.id}`, () =>
      isThere(company.id) ? [] : companyFacts(company, users, wanted.timeZone, hash, at),
    )
  }
  let added: Decided
  do {
    added = await add(STRUCTURE, () =>
      numbered(directory, wanted.devices)
        .slice(0, DEVICES_AN_APPEND)
        .map((data) => ({ type: 'device.registered', at, companyId: data.companyId, data })),
    )
  } while (added.facts.length > 0)
}

/** The devices not registered yet, with the numbers they get. */
export function numbered(
  directory: Pick<Directory, 'devices' | 'numbers'>,
  devices: readonly DeviceRegistration[],
): FactData<'device.registered'>[] {
  let no = directory.devices.length
  return devices
    .filter(({ imei }) => !directory.numbers.has(imei))
    .map((device) => ({
      no: no++,
      // field by field: what the device world knows beside is its own business
      imei: device.imei,
      companyId: device.companyId,
      groupId: device.groupId,
      name: device.name,
      plateNumber: device.plateNumber,
      vehicleMakeAndModel: device.vehicleMakeAndModel,
      type: device.type,
      source: device.source,
    }))
}

/** A company's whole registration, in the order it has to be folded. */
export function companyFacts(
  company: ScenarioCompany,
  users: ScenarioUser[],
  timeZone: string,
  passwordHash: string,
  at: number,
): NewFact[] {
  const { id: companyId, deviceKey, suspended, groups, ...profile } = company
  const origin = { at, companyId }
  const facts: NewFact[] = [
    {
      ...origin,
      type: 'company.registered',
      data: {
        ...profile,
        companyId,
        timeZone,
        deviceKeyHash: deviceKey === null ? null : hashOfKey(deviceKey),
      },
    },
  ]
  for (const { id: groupId, ...group } of groups)
    facts.push({ ...origin, type: 'group.created', data: { ...group, groupId, companyId } })
  for (const { id: userId, requireReset, note: _, superAdmin, ...user } of users) {
    facts.push(
      {
        ...origin,
        type: 'user.created',
        data: { ...user, userId, ...(superAdmin ? { superAdmin } : {}) },
      },
      { ...origin, type: 'user.password-set', data: { userId, hash: passwordHash } },
    )
    if (requireReset) facts.push({ ...origin, type: 'user.reset-required', data: { userId } })
  }
  if (suspended) facts.push({ ...origin, type: 'company.suspended', data: { companyId } })
  return facts
}
