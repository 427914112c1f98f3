import type { CommandOf } from '#machines/contracts/commands.ts'
import { isGood, keysOfCompany } from '#machines/projections/device-keys.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { deviceKeyFaults } from '#machines/rules/device-key-form.ts'
import { type Decision, decided, faulty, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

/** Keys of a company that may be good at once. */
const MOST_KEYS = 50
export const TOO_MANY_KEYS = `A company has at most ${MOST_KEYS} keys: revoke one first`
export const KEY_OVER = 'This key has expired already'

type Keeper = { userId: string; superAdmin: boolean; companyId: string; groupId: string }

/** Super admins keep the keys of every company, managers of a whole company those of their own. */
export function mayKeepKeys({ groups, users }: Directory, keeper: Keeper, wanted: string): boolean {
  if (keeper.superAdmin) return true
  const isTop = groups.get(keeper.groupId)?.parentId === null
  return keeper.companyId === wanted && isTop && users.get(keeper.userId)?.type === 'Manager'
}

/** Another key for other systems; what it is never comes here. */
export function createDeviceKey(directory: Directory, command: CommandOf<'device-key.create'>): Decision {
  const { at, data } = command
  if (!directory.companies.has(data.companyId)) return refuse(404, NOT_FOUND)
  const faults = deviceKeyFaults(data, at)
  if (faults.length > 0) return faulty(faults)
  if (isFull(directory, data.companyId, at)) return refuse(409, TOO_MANY_KEYS)
  return decided({
    ...originOf(command, data.companyId),
    type: 'device-key.created',
    data: { ...data, name: data.name.trim(), scopes: [...new Set(data.scopes)] },
  })
}

/** Revokes a key; one that is over already stays so without a fact. */
export function expireDeviceKey(directory: Directory, command: CommandOf<'device-key.expire'>): Decision {
  const { at, data } = command
  const key = directory.keys.byId.get(data.keyId)
  if (key?.companyId !== data.companyId) return refuse(404, NOT_FOUND)
  if (!isGood(key, at)) return decided()
  return decided({
    ...originOf(command, key.companyId),
    type: 'device-key.expiry-set',
    data: { companyId: key.companyId, keyId: key.keyId, expiresAt: at },
  })
}

/** Another key in place of one, with its end, where it has one; the one before goes on for the overlap, or until that end where it is earlier. */
export function rotateDeviceKey(directory: Directory, command: CommandOf<'device-key.rotate'>): Decision {
  const { at, data } = command
  const { companyId, newKeyId, hash, overlapHours } = data
  const key = directory.keys.byId.get(data.keyId)
  if (key?.companyId !== companyId) return refuse(404, NOT_FOUND)
  if (!isGood(key, at)) return refuse(409, KEY_OVER)
  if (isFull(directory, companyId, at)) return refuse(409, TOO_MANY_KEYS)
  const { name, scopes, keyId } = key
  const origin = originOf(command, companyId)
  const expiresAt = Math.min(at + overlapHours * 3_600_000, key.expiresAt ?? Number.POSITIVE_INFINITY)
  return decided(
    {
      ...origin,
      type: 'device-key.created',
      data: { companyId, keyId: newKeyId, name, scopes: [...scopes], hash, expiresAt: key.expiresAt },
    },
    { ...origin, type: 'device-key.expiry-set', data: { companyId, keyId, expiresAt } },
  )
}

const isFull = ({ keys }: Directory, companyId: string, at: number): boolean =>
  keysOfCompany(keys, companyId).filter((key) => isGood(key, at)).length >= MOST_KEYS
