/** What a violation is called, and how its values are told. */
export const VIOLATION_WORDS = {
  HIGH_TEMPERATURE_DETECTED: { name: 'High temperature', unit: '°C', digits: 1, side: 'above' },
  LOW_TEMPERATURE_DETECTED: { name: 'Low temperature', unit: '°C', digits: 1, side: 'below' },
  HIGH_HUMIDITY_DETECTED: { name: 'High humidity', unit: '%', digits: 2, side: 'above' },
  LOW_HUMIDITY_DETECTED: { name: 'Low humidity', unit: '%', digits: 2, side: 'below' },
} as const
