import type { Evaluation } from '#machines/contracts/entities/evaluation.ts'
import { figure } from '#machines/rules/figures.ts'

/** How the limits of a group are evaluated, as its forms and its history name it. */
export const EVALUATION_LABELS = {
  violationDelaySeconds: 'Alarm delay',
  clearMarginTemperature: 'Temperature margin',
  clearMarginHumidity: 'Humidity margin',
} as const satisfies Record<keyof Evaluation, string>

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
  ...EVALUATION_LABELS,
  limitsTrial: 'In the time they were tried on',
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
  if (Object.hasOwn(EVALUATION_LABELS, field)) return evaluationValue(field, value)
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const unit = unitOf(field)
  return unit === undefined || typeof value !== 'number' ? String(value) : `${figure(value)} ${unit}`
}

/** What holds of a field a group has no value of: delay and margins are then the company's. */
export const withoutGroupValue = (field: string): string | undefined =>
  Object.hasOwn(EVALUATION_LABELS, field) ? 'as the company has it' : undefined

/** Unit of a threshold. */
export function unitOf(field: string): string | undefined {
  if (field.endsWith('TemperatureThreshold')) return '°C'
  if (field.endsWith('HumidityThreshold')) return '%'
  return undefined
}

/** A delay or a margin: `15 min`, `0.5 °C`; null is the company's. */
export function evaluationValue(field: string, value: unknown): string {
  if (typeof value !== 'number') return 'as the company'
  if (field === 'violationDelaySeconds') return `${figure(inMinutes(value))} min`
  return `${figure(value)} ${field === 'clearMarginTemperature' ? '°C' : '%'}`
}

/** Seconds in minutes, to a hundredth. */
export const inMinutes = (seconds: number): number => Math.round((seconds / 60) * 100) / 100
