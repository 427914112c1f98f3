/** Joins class names, leaving out what is empty: `classNames('a', isOpen && 'b')`. */
export function classNames(...names: (string | false | null | undefined)[]): string {
  return names.filter(Boolean).join(' ')
}
