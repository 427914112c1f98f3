import { figure } from '#machines/rules/figures.ts'

/** °C with one decimal; N/A where it was not measured. */
export function formatTemperature(celsius: number | null | undefined): string {
  return celsius === null || celsius === undefined ? 'N/A' : `${figure(celsius, 1)} °C`
}

/** Relative humidity with two decimals; N/A where it was not measured. */
export function formatHumidity(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? 'N/A' : `${figure(percent, 2)} %`
}

/** Whole km/h; N/A where it was not measured. */
export function formatSpeed(kmh: number | null | undefined): string {
  return kmh === null || kmh === undefined ? 'N/A' : `${Math.round(kmh)} km/h`
}

/** A count with its thousands: 100,000. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** A count where there is little room: 120, 4.3k, 12k. Never more than there are. */
export function shortCount(count: number): string {
  if (count < 1000) return String(count)
  if (count < 10_000) return `${Math.floor(count / 100) / 10}k`
  return `${Math.floor(count / 1000)}k`
}

/** Bytes in the largest unit of which there is one: 12.3 MB. Below a kilobyte, whole bytes. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB']
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(bytes, 1)) / 3)))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`
}
