/** From the top of the window, px, wherever its entrance has come to. */
export function topOf(element: Element | null): number {
  return element instanceof HTMLElement ? element.offsetTop + topOf(element.offsetParent) : 0
}
