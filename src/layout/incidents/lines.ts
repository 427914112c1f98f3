import { STATUS_MASK, violationBit } from '#machines/contracts/device-state.ts'
import { type Incident, isViolation, type ViolationIncident } from '#machines/contracts/entities/incidents.ts'
import { READING_FIELDS, type ReadingField } from '#machines/contracts/readings.ts'
import type { IncidentKind, ViolationType } from '#machines/contracts/scalars.ts'
import { lostIdBy } from '#machines/projections/lost-devices.ts'
import { figure } from '#machines/rules/figures.ts'
import { VIOLATION_WORDS, valueWords } from '#machines/rules/violation-words.ts'
import { formatTemperature } from '../../format/numbers.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { SEVERITIES, SEVERITY_OF } from '../../read-model/severity.ts'
import { type GlyphState, STATE_WORDS } from '../../ui/state-glyph.tsx'
import { glyphOf } from '../glyph-of.ts'

const isTemperature = (type: ViolationType): boolean => VIOLATION_WORDS[type].unit === '°C'

/** The newest value of what a violation is about, °C or %; that which opened it where the device is not known. */
export function newestOf({ columns, names }: Fleet, { imei, type, value }: ViolationIncident): number {
  const row = names.rowOf(imei)
  const field: ReadingField & ('temperature' | 'humidity') = isTemperature(type) ? 'temperature' : 'humidity'
  const stored = row < 0 ? READING_FIELDS[field].missing : (columns[field][row] as number)
  return stored === READING_FIELDS[field].missing ? value : stored / READING_FIELDS[field].scale
}

/** How far a value is beyond the limit, °C or %; negative: back inside. */
export const beyondOf = ({ type, threshold }: ViolationIncident, value: number): number =>
  VIOLATION_WORDS[type].side === 'above' ? value - threshold : threshold - value

/** How bad an incident is, as an index into SEVERITIES; of a lost device that is how it stands now. */
export function severityOf({ columns, names }: Fleet, { type, imei }: Incident): number {
  if (type !== 'offline') return SEVERITY_OF[violationBit(type)] as number
  const row = names.rowOf(imei)
  const status = row < 0 ? 0 : (columns.state[row] as number) & STATUS_MASK
  return Math.max(OFFLINE, SEVERITY_OF[status] as number)
}
const OFFLINE = SEVERITIES.indexOf('offline')

/** Worst first: heat before cold before humidity, then by how far beyond, then the oldest; lost devices last, the newest first. */
export function worstFirst(fleet: Fleet, incidents: readonly Incident[]): Incident[] {
  const rank = incidents.map((incident) => ({
    incident,
    severity: severityOf(fleet, incident),
    beyond: isViolation(incident)
      ? beyondOf(incident, newestOf(fleet, incident))
      : Date.parse(incident.since),
  }))
  return rank
    .sort(
      (a, b) =>
        b.severity - a.severity ||
        b.beyond - a.beyond ||
        (a.incident.since < b.incident.since ? -1 : Number(a.incident.since > b.incident.since)),
    )
    .map(({ incident }) => incident)
}

/** "8.4 above 15", without units beside a value that has one. */
export function beyondWords(incident: ViolationIncident, value: number): string {
  const { side, digits } = VIOLATION_WORDS[incident.type]
  const limit = figure(incident.threshold)
  const beyond = beyondOf(incident, value)
  return beyond <= 0 ? `back inside ${limit}` : `${figure(beyond, digits)} ${side} ${limit}`
}

/** What stands in a row: the value and how far beyond the limit; of a lost device how it stands, and what it measured last. */
export function rowWords(fleet: Fleet, incident: Incident): { first: string; second: string } {
  const isOver = incident.clearedAt !== null
  if (isViolation(incident)) {
    const value = isOver ? incident.value : newestOf(fleet, incident)
    return { first: valueWords(incident.type, value), second: beyondWords(incident, value) }
  }
  const row = fleet.names.rowOf(incident.imei)
  const { missing, scale } = READING_FIELDS.temperature
  const stored = row < 0 ? missing : (fleet.columns.temperature[row] as number)
  const last = stored === missing || isOver ? '' : `last ${formatTemperature(stored / scale)}`
  return { first: isOver ? 'Back' : STATE_WORDS[glyphOfIncident(fleet, incident)], second: last }
}

export const glyphOfIncident = (fleet: Fleet, incident: Incident): GlyphState =>
  glyphOf(severityOf(fleet, incident))

/** What kind of incident it is, in words: of what is shelved. */
export const kindWords = (type: IncidentKind): string =>
  type === 'offline' ? 'Lost' : VIOLATION_WORDS[type].name

/** What a device is called; its imei where it is not known. */
export function nameOf({ names }: Fleet, imei: string): string {
  const row = names.rowOf(imei)
  return row < 0 ? imei : names.of(row, 'name')
}

/** Whether of an incident nothing but its name is known is that of a lost device. */
export const isLostId = (violationId: string): boolean => violationId.startsWith(lostIdBy(''))
