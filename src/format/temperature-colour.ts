/**
 * One temperature scale for list, marker, chart and cluster: a diverging ramp around the group's band. A colour means a
 * distance from the limits, so −18 °C in a freezer and +4 °C in a chiller look alike.
 */
export type Rgb = readonly [red: number, green: number, blue: number]
export type Band = { low: number; high: number }
export type Scheme = 'light' | 'dark'

/** °C beyond a limit at which the colour is at its strongest. */
export const FULL_COLOUR_AT = 15
/** °C before a limit from which the colour begins to turn. */
const TURNS_AT = 2
/** How far it has turned at the limit itself: beyond it, it jumps to TURNED_BEYOND, so crossing is seen. */
const TURNED_AT_LIMIT = 0.22
const TURNED_BEYOND = 0.5
const STEPS = 32

/**
 * Where a temperature stands: −1 far too cold, 0 well inside the band, 1 far too hot.
 * @param celsius °C @param band the group's limits, °C, low ≤ high
 */
export function distanceFromBand(celsius: number, { low, high }: Band): number {
  if (celsius > high) return beyond(celsius - high)
  if (celsius < low) return -beyond(low - celsius)
  const reach = Math.min(TURNS_AT, (high - low) / 2)
  if (reach === 0) return 0
  const toHot = Math.max(0, 1 - (high - celsius) / reach)
  const toCold = Math.max(0, 1 - (celsius - low) / reach)
  return TURNED_AT_LIMIT * (toHot - toCold)
}

/** The colour of a temperature as bytes, for the map and canvas. Answers shared arrays: do not write to them. */
export function temperatureRgb(celsius: number, band: Band, scheme: Scheme): Rgb {
  return ramps[scheme][Math.round((distanceFromBand(celsius, band) + 1) * STEPS)] as Rgb
}

/** The same colour for CSS and SVG. */
export function temperatureColour(celsius: number, band: Band, scheme: Scheme): string {
  return `rgb(${temperatureRgb(celsius, band, scheme).join(' ')})`
}

function beyond(degrees: number): number {
  return TURNED_BEYOND + (1 - TURNED_BEYOND) * Math.min(1, degrees / FULL_COLOUR_AT)
}

type Oklch = readonly [lightness: number, chroma: number, hue: number]
/** Ends and middle in the tones of tokens.css: cold, fine, hot. */
const stops: Record<Scheme, readonly [Oklch, Oklch, Oklch]> = {
  light: [
    [0.45, 0.22, 283],
    [0.6, 0.02, 248],
    [0.53, 0.21, 30],
  ],
  dark: [
    [0.66, 0.18, 285],
    [0.7, 0.015, 246],
    [0.68, 0.2, 34],
  ],
}

const ramps: Record<Scheme, readonly Rgb[]> = { light: ramp(stops.light), dark: ramp(stops.dark) }

function ramp([cold, fine, hot]: readonly [Oklch, Oklch, Oklch]): Rgb[] {
  return Array.from({ length: 2 * STEPS + 1 }, (_, i) => {
    const distance = i / STEPS - 1
    const [a, b] = [lab(fine), lab(distance < 0 ? cold : hot)]
    const t = Math.abs(distance)
    return toRgb([a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t])
  })
}

function lab([lightness, chroma, hue]: Oklch): [number, number, number] {
  const angle = (hue * Math.PI) / 180
  return [lightness, chroma * Math.cos(angle), chroma * Math.sin(angle)]
}

/** Oklab to sRGB bytes: Björn Ottosson, "A perceptual color space for image processing" (2020). */
function toRgb([lightness, a, b]: [number, number, number]): Rgb {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    toByte(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    toByte(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    toByte(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ]
}

function toByte(linear: number): number {
  const bounded = Math.max(0, Math.min(1, linear))
  const encoded = bounded <= 0.0031308 ? 12.92 * bounded : 1.055 * bounded ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255)
}
