import type { Clock } from '#machines/contracts/clock.ts'
import { networkOf } from '../auth/attempts.ts'

/** By which way a device came that nobody knows. */
export type Door = 'http' | 'teltonika' | 'gt06'

/** One knock. `address`: where it came from; `companyId`: whose key it brought, null where a door asks for none. */
export type Knock = { imei: string; door: Door; address: string; companyId: string | null }

/** A device that knocked and is not registered. `firstAt`, `lastAt`: epoch ms on the server's clock. */
export type UnknownDevice = Knock & { firstAt: number; lastAt: number; times: number }

/** Who asks: those without a company are a super admin's alone. */
export type UnknownScope = { companyId: string; isSuperAdmin: boolean }

/**
 * Devices that knocked and are not registered, so that somebody can take them in. In memory alone: a stranger may say another
 * IMEI each second, and none of them is to last. Nobody who knocks can push out what others wait for: each address has its own
 * bound (of IPv6 each /64 network, for each company), and where there is no more room, the company with the most loses its oldest.
 */
export type UnknownDevices = {
  note(knock: Knock): void
  /** newest knock first */
  list(scope: UnknownScope): UnknownDevice[]
  /** it is registered now */
  forget(imei: string): void
  /** since when it is kept, epoch ms */
  readonly since: number
}

export const MOST_UNKNOWN = 1_000
/** A gateway or a carrier puts many devices behind one address. */
export const MOST_PER_ADDRESS = 100

/** Of this node alone, and until it ends: nothing of it is stored. */
export function createUnknownDevices(clock: Clock): UnknownDevices {
  /** by IMEI and company, oldest knock first */
  const known = new Map<string, UnknownDevice>()
  const perAddress = new Map<string, number>()
  const perCompany = new Map<string | null, number>()
  const since = clock.now()

  const count = (knock: Knock, by: 1 | -1): void => {
    add(perAddress, placeOf(knock), by)
    add(perCompany, knock.companyId, by)
  }
  const drop = (key: string): void => {
    const device = known.get(key)
    if (device === undefined) return
    known.delete(key)
    count(device, -1)
  }

  return {
    since,
    note(knock) {
      const key = `${knock.imei} ${knock.companyId ?? ''}`
      const before = known.get(key)
      const place = placeOf(knock)
      if (before === undefined && (perAddress.get(place) ?? 0) >= MOST_PER_ADDRESS)
        drop(oldestWhere(known, (device) => placeOf(device) === place))
      drop(key)
      const now = clock.now()
      known.set(key, {
        ...knock,
        firstAt: before?.firstAt ?? now,
        lastAt: now,
        times: (before?.times ?? 0) + 1,
      })
      count(knock, 1)
      if (known.size <= MOST_UNKNOWN) return
      const [[companyId] = [null]] = [...perCompany].sort(([, a], [, b]) => b - a)
      drop(oldestWhere(known, (device) => device.companyId === companyId))
    },
    list({ companyId, isSuperAdmin }) {
      return [...known.values()]
        .filter((device) => device.companyId === companyId || (device.companyId === null && isSuperAdmin))
        .reverse()
    },
    forget(imei) {
      for (const [key, device] of known) if (device.imei === imei) drop(key)
    },
  }
}

const placeOf = ({ address, companyId }: Knock): string => `${networkOf(address)} ${companyId ?? ''}`

function add<K>(counts: Map<K, number>, key: K, by: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + by
  if (now > 0) counts.set(key, now)
  else counts.delete(key)
}

/** Key of the device of these that has not knocked for longest. */
function oldestWhere(
  known: ReadonlyMap<string, UnknownDevice>,
  isOne: (device: UnknownDevice) => boolean,
): string {
  for (const [key, device] of known) if (isOne(device)) return key
  return ''
}
