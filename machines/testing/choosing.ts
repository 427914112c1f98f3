import type { Path } from './path-model.ts'

/** Again and again the path with the most transitions that are on none before it: few paths over all that these take. */
export function fewest(paths: readonly Path[]): Path[] {
  const walked = new Set<string>()
  const gain = ({ takes }: Path) => new Set(takes.filter((one) => !walked.has(one))).size
  const chosen: Path[] = []
  let left = [...paths]
  while (left.length > 0) {
    const best = left.reduce((one, other) => (gain(other) > gain(one) ? other : one))
    if (gain(best) === 0) break
    chosen.push(best)
    for (const one of best.takes) walked.add(one)
    left = left.filter((one) => one !== best)
  }
  return chosen
}
