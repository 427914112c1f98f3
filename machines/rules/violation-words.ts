import type { ViolationType } from '../contracts/scalars.ts'
import { figure } from './figures.ts'

/** What a violation is called, and how its values are written. */
export const VIOLATION_WORDS = {
  HIGH_TEMPERATURE_DETECTED: { name: 'High temperature', unit: '°C', digits: 1, side: 'above' },
  LOW_TEMPERATURE_DETECTED: { name: 'Low temperature', unit: '°C', digits: 1, side: 'below' },
  HIGH_HUMIDITY_DETECTED: { name: 'High humidity', unit: '%', digits: 2, side: 'above' },
  LOW_HUMIDITY_DETECTED: { name: 'Low humidity', unit: '%', digits: 2, side: 'below' },
} as const

/** A value of what a violation is about, with its unit: `−18.4 °C`, `55.25 %`. */
export function valueWords(type: ViolationType, value: number): string {
  const { digits, unit } = VIOLATION_WORDS[type]
  return `${figure(value, digits)} ${unit}`
}

/** A limit as it was set, with its unit: `8 °C`. */
export const limitWords = (type: ViolationType, limit: number): string =>
  `${figure(limit)} ${VIOLATION_WORDS[type].unit}`
