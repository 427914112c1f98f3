/**
 * A value that is the same for each feature, worked out for each. MapLibre makes one shader of layers whose properties are told
 * by the feature, and another of those where one is told for all; a processor in place of a card takes 30 to 80 ms to make one
 * ready, before the first land is seen (docs/decisions/0259).
 */
export const forEach = <T extends string | number>(value: T): ['case', ['has', 'name'], T, T] => [
  'case',
  ['has', 'name'],
  value,
  value,
]
