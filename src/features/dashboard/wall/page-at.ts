/** Every other turn the worst: the first page. @param pages at least 0 */
export const pageAt = (turn: number, pages: number): number =>
  pages < 2 || turn % 2 === 0 ? 0 : 1 + (Math.floor(turn / 2) % (pages - 1))
