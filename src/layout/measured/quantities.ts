import { formatHumidity, formatTemperature } from '../../format/numbers.ts'
import type { Quantity } from './series.ts'

/** How each quantity is told: its name, unit, decimals and the file its chart is saved as. */
export const QUANTITIES: Record<
  Quantity,
  {
    title: string
    unit: string
    decimals: number
    file: string
    format: (value: number | null | undefined) => string
  }
> = {
  temperature: {
    title: 'Temperature',
    unit: '°C',
    decimals: 1,
    file: 'temperature-chart',
    format: formatTemperature,
  },
  humidity: { title: 'Humidity', unit: '%', decimals: 2, file: 'humidity-chart', format: formatHumidity },
}
