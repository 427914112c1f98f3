/** Height of a row of a list, px, as the styles have it; fingers need higher ones. */
export function rowHeight(): number {
  const style = getComputedStyle(document.documentElement)
  return Number.parseFloat(style.getPropertyValue('--spacing-row')) || 36
}
