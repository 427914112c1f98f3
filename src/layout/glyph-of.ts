import { statusOf } from '#machines/contracts/device-state.ts'
import { FIRST_VIOLATION, SEVERITIES, type Severity, severityOf } from '../read-model/severity.ts'
import { type GlyphState, STATE_WORDS } from '../ui/state-glyph.tsx'

const GLYPHS: Record<Severity, GlyphState> = {
  fine: 'fine',
  offline: 'offline',
  disconnected: 'disconnected',
  sensorUnplugged: 'disconnected',
  tooDry: 'dry',
  tooHumid: 'humid',
  tooCold: 'cold',
  tooHot: 'hot',
}

/** The shape of a severity, given by its index in SEVERITIES. */
export const glyphOf = (severity: number): GlyphState => GLYPHS[SEVERITIES[severity] ?? 'fine']

/** A severity as it is shown. */
export const signOf = (severity: Severity): { glyph: GlyphState; word: string } => ({
  glyph: GLYPHS[severity],
  word: severity === 'sensorUnplugged' ? 'Sensor unplugged' : STATE_WORDS[GLYPHS[severity]],
})

/** How a device is, in a word: what is wrong with the goods before what is wrong with the device. */
export const wordOf = (state: number): string => signOf(severityOf(state)).word

/** The documents' status in a word: Online, Offline, Disconnected. */
export function statusWord(state: number): string {
  const status = statusOf(state)
  return status.charAt(0).toUpperCase() + status.slice(1)
}

/** How a value stands to its limits; fine where it was not measured, or none are set. */
export function glyphBeyond(
  value: number | null | undefined,
  low: number,
  high: number,
  [below, above]: readonly [GlyphState, GlyphState],
): GlyphState {
  if (value === null || value === undefined || low >= high) return 'fine'
  if (value < low) return below
  return value > high ? above : 'fine'
}

export const isTrouble = (severity: number): boolean => severity >= FIRST_VIOLATION
