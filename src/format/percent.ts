import { figure } from '#machines/rules/figures.ts'

/** A part of a whole: `33.3 %`, `50 %`; never 0 or 100 % of what is there in part. */
export function percentOf(value: number, whole: number): string {
  if (whole === 0) return '0 %'
  const share = (100 * value) / whole
  if (value > 0 && share < 0.1) return 'under 0.1 %'
  if (value < whole && share > 99.9) return 'over 99.9 %'
  return `${figure(share, Number.isInteger(share) ? 0 : 1)} %`
}
