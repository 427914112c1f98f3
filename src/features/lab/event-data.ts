/** A value as JSON for reading: errors by what they say, sets and maps by what is in them, numbers that are none by name. */
export function dataOf(value: unknown): string {
  const shown = JSON.stringify(
    value,
    (_, inner: unknown) => {
      if (inner instanceof Error) return { error: inner.message }
      if (inner instanceof Map || inner instanceof Set) return [...inner]
      if (typeof inner === 'number' && !Number.isFinite(inner)) return String(inner)
      if (typeof inner === 'function') return '(a function)'
      return inner
    },
    2,
  )
  return shown ?? 'nothing'
}
