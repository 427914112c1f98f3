import type { Clock } from '#machines/contracts/clock.ts'

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
 * IMEI each second, and none of them is to last. Nobody who knocks can push out what came by other addresses: each address has
 * its own bound.
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

export function createUnknownDevices(clock: Clock): UnknownDevices {
  /** by IMEI and company, oldest knock first */
  const known = new Map<string, UnknownDevice>()
  const perAddress = new Map<string, number>()
  const since = clock.now()

  const count = (address: string, by: 1 | -1): void => {
    const now = (perAddress.get(address) ?? 0) + by
    if (now > 0) perAddress.set(address, now)
    else perAddress.delete(address)
  }
  const drop = (key: string): void => {
    const device = known.get(key)
    if (device === undefined) return
    known.delete(key)
    count(device.address, -1)
  }

  return {
    since,
    note(knock) {
      const key = `${knock.imei} ${knock.companyId ?? ''}`
      const before = known.get(key)
      if (before === undefined && (perAddress.get(knock.address) ?? 0) >= MOST_PER_ADDRESS)
        drop(oldestOf(known, knock.address))
      drop(key)
      const now = clock.now()
      known.set(key, {
        ...knock,
        firstAt: before?.firstAt ?? now,
        lastAt: now,
        times: (before?.times ?? 0) + 1,
      })
      count(knock.address, 1)
      const [oldest] = known.keys()
      if (known.size > MOST_UNKNOWN && oldest !== undefined) drop(oldest)
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

/** Key of the device of an address that has not knocked for longest. */
function oldestOf(known: ReadonlyMap<string, UnknownDevice>, address: string): string {
  for (const [key, device] of known) if (device.address === address) return key
  return ''
}
