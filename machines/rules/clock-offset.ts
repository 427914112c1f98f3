import { LEAST_OFFSET, MOST_OFFSET } from '../contracts/scalars.ts'

const WRITTEN = /^(?:(?:utc|gmt)\s*)?(?:([+\-\u2212])?(\d{1,2})(?::?([0-5]\d))?)?$/i

/** An offset in words: "UTC", "UTC+05:00", "UTC−03:30". @param minutes ahead of UTC */
export function offsetWords(minutes: number): string {
  if (minutes === 0) return 'UTC'
  const ahead = Math.abs(minutes)
  const two = (n: number) => String(n).padStart(2, '0')
  return `UTC${minutes < 0 ? '\u2212' : '+'}${two(Math.floor(ahead / 60))}:${two(ahead % 60)}`
}

/** Minutes ahead of UTC of what somebody wrote: "", "UTC", "+5", "UTC+05:30", "-0330". Undefined where it is none. */
export function offsetOf(text: string): number | undefined {
  const match = WRITTEN.exec(text.trim())
  if (match === null) return undefined
  const [, sign, hours = '0', rest = '0'] = match
  const ahead = Number(hours) * 60 + Number(rest)
  const minutes = ahead === 0 ? 0 : sign === '-' || sign === '\u2212' ? -ahead : ahead
  return minutes < LEAST_OFFSET || minutes > MOST_OFFSET ? undefined : minutes
}

/** The offsets zones of the world have, from the west to the east, minutes ahead of UTC. */
export const OFFSETS: readonly number[] = [
  -720, -660, -600, -570, -540, -480, -420, -360, -300, -240, -210, -180, -150, -120, -60, 0, 60, 120, 180,
  210, 240, 270, 300, 330, 345, 360, 390, 420, 480, 525, 540, 570, 600, 630, 660, 720, 765, 780, 840,
]
