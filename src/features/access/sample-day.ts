/** A made-up day of a chilled truck for the sign-in page: 288 readings, five minutes apart, °C. */
export const LOW = 2
export const HIGH = 8
/** Measures of the drawing, px. */
export const BAND = { width: 720, height: 170 }

const COUNT = 288

/** Compressor cycles, two door openings, and a failure towards the end of the day. */
const day: number[] = Array.from({ length: COUNT }, (_, i) => {
  const cycle = 0.55 * Math.sin(i / 3.1) + 0.25 * Math.sin(i / 1.7)
  const opened = 2.1 * Math.exp(-(((i - 84) / 7) ** 2)) + 1.7 * Math.exp(-(((i - 150) / 6) ** 2))
  const failing = 6.4 / (1 + Math.exp(-(i - 252) / 8))
  return 4.2 + cycle * (1 - 0.7 * Math.min(1, failing / 5)) + opened + failing
})

const x = (i: number): number => (i / (COUNT - 1)) * BAND.width
const y = (celsius: number): number => BAND.height - ((celsius - 0.5) / 11) * BAND.height

export const path = { x, y }

/** The line cut where it crosses the upper limit, so that what is beyond can be red exactly there. */
export const spells: { d: string; isBeyond: boolean }[] = cut()

function cut(): { d: string; isBeyond: boolean }[] {
  const parts: { points: string[]; isBeyond: boolean }[] = []
  for (const [i, value] of day.entries()) {
    const isBeyond = value > HIGH
    const last = parts.at(-1)
    if (last === undefined || last.isBeyond !== isBeyond) {
      const crossing =
        i === 0 ? [] : [pointAt(i - 1 + (HIGH - (day[i - 1] ?? 0)) / (value - (day[i - 1] ?? 0)), HIGH)]
      last?.points.push(...crossing)
      parts.push({ points: [...crossing], isBeyond })
    }
    parts.at(-1)?.points.push(pointAt(i, value))
  }
  return parts.map(({ points, isBeyond }) => ({ d: `M${points.join('L')}`, isBeyond }))
}

function pointAt(i: number, celsius: number): string {
  return `${x(i).toFixed(1)} ${y(celsius).toFixed(1)}`
}
