/** `1.25`, `12.4`: alarms in a slot. */
export const slotMean = (mean: number): string => (mean >= 10 ? mean.toFixed(1) : mean.toFixed(2))

/** A share of 0 to 1: `42.9 %`, `0 %`; what is there at all is never shown as none. */
export function percent(share: number): string {
  if (share === 0) return '0 %'
  if (share < 0.001) return 'under 0.1 %'
  return `${(share * 100).toFixed(1)} %`
}
