/** One line of the table: what was measured, against what it must reach. */
export type Figure = {
  what: string
  /** in words, with units */
  measured: string
  target: string
  /** undefined: there is no target to miss */
  isReached?: boolean
}

/** A bound from above, measured and said in one unit. */
export function atMost(what: string, value: number, bound: number, unit: string, decimals = 0): Figure {
  return {
    what,
    measured: `${say(value, decimals)} ${unit}`,
    target: `≤ ${say(bound, decimals === 0 || Number.isInteger(bound) ? 0 : decimals)} ${unit}`,
    isReached: value <= bound,
  }
}

/** Figures as a Markdown table, which reads well on a terminal too. */
export function tableOf(figures: readonly Figure[]): string {
  const rows = [
    ['figure', 'measured', 'target', ''],
    ...figures.map(({ what, measured, target, isReached }) => [
      what,
      measured,
      target,
      isReached === undefined ? '' : isReached ? 'reached' : '**missed**',
    ]),
  ]
  const widths = [0, 1, 2, 3].map((column) => Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, i) => cell.padEnd(widths[i] as number)).join(' | ')} |`
  const [head, ...body] = rows as [string[], ...string[][]]
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...body.map(line)].join('\n')
}

/** The value a share of all values stays at or under; NaN for none. `share`: 0.95 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** Whether values fall no more: the median of the last `count` is less than that of as many before by a fiftieth at most. */
export const isLevel = (values: readonly number[], count: number): boolean =>
  values.length >= 2 * count &&
  median(values.slice(-count)) >= median(values.slice(-2 * count, -count)) * 0.98

/** How steeply values rise over places, by least squares; NaN for fewer than two. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length
  const [x, y] = [mean((point) => point.x), mean((point) => point.y)]
  return mean((point) => (point.x - x) * (point.y - y)) / mean((point) => (point.x - x) ** 2)
}

export const say = (value: number, decimals = 0): string =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals })
