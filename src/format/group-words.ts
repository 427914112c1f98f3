import { figure } from '#machines/rules/figures.ts'

/** Fields of a group in words, as its forms and its history name them. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'Name',
  description: 'Description',
  image: 'Picture',
  parentId: 'Parent Group',
  things: 'Device',
  child: 'Group below',
  users: 'User',
  lowTemperatureThreshold: 'Low temperature',
  highTemperatureThreshold: 'High temperature',
  lowHumidityThreshold: 'Low humidity',
  highHumidityThreshold: 'High humidity',
  'fatigue.enabled': 'Fatigue warning',
  'fatigue.drivingMinutes': 'Driving at most, minutes',
  'fatigue.restMinutes': 'Rest at least, minutes',
}

/** A field of a change of a group; undefined for one that is none. */
export const groupField = (field: string): string | undefined =>
  Object.hasOwn(FIELDS, field) ? FIELDS[field] : undefined

/** What was written in such a field, with its unit. Pictures have no words. */
export function groupValue(field: string, value: unknown): string {
  if (field === 'image') return 'a picture'
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const unit = unitOf(field)
  return unit === undefined || typeof value !== 'number' ? String(value) : `${figure(value)} ${unit}`
}

/** Unit of a threshold. */
export function unitOf(field: string): string | undefined {
  if (field.endsWith('TemperatureThreshold')) return '°C'
  if (field.endsWith('HumidityThreshold')) return '%'
  return undefined
}
