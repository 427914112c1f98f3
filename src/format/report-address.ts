import { Imei } from '#machines/contracts/scalars.ts'
import { pageAddress, picks } from './page-address.ts'

/** As many as an address is long enough for. */
export const MOST_IN_ADDRESS = 400

/** As of `/temperatureReport?devices=356307042441013,356307042441021`: what is chosen as the page opens; without, what the page begins with. */
export const reportAddress = pageAddress<{ devices: 'all' | ReadonlySet<string> }>({
  devices: picks('devices', Imei, MOST_IN_ADDRESS),
})

/** Where a temperature report of these devices is asked for. */
export const reportPath = (imeis: readonly string[]): string =>
  `/temperatureReport?${reportAddress.write({ devices: new Set(imeis) })}`
