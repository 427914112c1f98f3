/** °C with one decimal; N/A where it was not measured. */
export function formatTemperature(celsius: number | null | undefined): string {
  return celsius === null || celsius === undefined ? 'N/A' : `${withMinus(celsius.toFixed(1))} °C`
}

/** Relative humidity with two decimals; N/A where it was not measured. */
export function formatHumidity(percent: number | null | undefined): string {
  return percent === null || percent === undefined ? 'N/A' : `${withMinus(percent.toFixed(2))} %`
}

/** Whole km/h; N/A where it was not measured. */
export function formatSpeed(kmh: number | null | undefined): string {
  return kmh === null || kmh === undefined ? 'N/A' : `${Math.round(kmh)} km/h`
}

/** A count with its thousands: 100,000. */
export function formatCount(count: number): string {
  return count.toLocaleString('en')
}

/** A hyphen is no minus: it is too short beside figures. And -0.0 is 0.0. */
function withMinus(text: string): string {
  return /^-0[.0]*$/.test(text) ? text.slice(1) : text.replace('-', '\u2212')
}
