/** Rows that PageDown and PageUp go by. */
const PAGE = 8

/**
 * Where a key leads in a list of rows: the arrows, and `j` and `k` for who has both hands there, a page, and both ends.
 * @returns an index, which may lie beyond either end; undefined where the key means something else
 */
export function rowByKey(key: string, from: number, count: number): number | undefined {
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return from + 1
    case 'k':
    case 'ArrowUp':
      return from - 1
    case 'PageDown':
      return from + PAGE
    case 'PageUp':
      return from - PAGE
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return undefined
  }
}
