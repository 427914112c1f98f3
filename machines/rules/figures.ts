/** How figures and positions are written wherever people read them: in the portal, in mails and messages, in print. */

/**
 * A number with a true minus: a hyphen is too short beside figures. And -0.0 is 0.0.
 * @param decimals as many, always; left out: as many as it has
 */
export function figure(value: number, decimals?: number): string {
  const text = decimals === undefined ? String(value) : value.toFixed(decimals)
  return /^-0[.0]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212')
}

/** So many of something, as it is said of one and of several: `1 device`, `1,204 devices`. */
export const counted = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`

/** A latitude or longitude in degrees, to be copied into any map, with the hyphen these take. Five decimals are a metre. */
export const degrees = (value: number): string => value.toFixed(5)

/** A position in degrees: `31.52000, 74.35000`. */
export const coordinates = ({ lat, lng }: { lat: number; lng: number }): string =>
  `${degrees(lat)}, ${degrees(lng)}`
