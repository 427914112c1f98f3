import type { AlertedViolation } from './alerted-violations.ts'

const MINUTE = 60_000

/**
 * Where the portal shows these violations: `/notifications?date=<ISO>..<ISO>`, and where all are of one device, its
 * `thing` and `plate`. The span is in whole minutes and holds the instant each of them was published.
 * @param until epoch ms: when they were published, where that is after the last of them
 */
export function violationsAddress(
  publicUrl: string,
  violations: readonly AlertedViolation[],
  until: number,
): string {
  const from = violations.reduce((first, { opened }) => Math.min(first, opened.at), until)
  const to = violations.reduce((last, { opened }) => Math.max(last, opened.at), until)
  const query = new URLSearchParams({ date: `${isoMinute(from)}..${isoMinute(to + MINUTE - 1)}` })
  const imeis = new Set(violations.map(({ device }) => device.imei))
  const [device] = violations.map((one) => one.device)
  if (imeis.size === 1 && device !== undefined) {
    query.set('thing', device.imei)
    if (device.plateNumber !== '') query.set('plate', device.plateNumber)
  }
  return `${publicUrl}/notifications?${query.toString().replaceAll('%3A', ':')}`
}

/** Where a load is; without one, where all are. */
export const loadsAddress = (publicUrl: string, loadId?: string): string =>
  loadId === undefined ? `${publicUrl}/loads` : `${publicUrl}/loads/${loadId}`

/** Where somebody says what reaches them. */
export const settingsAddress = (publicUrl: string): string => `${publicUrl}/account`

const isoMinute = (at: number): string => new Date(Math.floor(at / MINUTE) * MINUTE).toISOString()

/** Where all notifications are: short enough for a text message. */
export const portalAddress = (publicUrl: string): string => `${publicUrl}/notifications`
