import type { AnyStateNode } from 'xstate'
import type { Path, PathModel, Walk } from './path-model.ts'
import { upTo } from './paths.ts'

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

/** The shortest way a walk found to a transition or a state, by its name, ending there; nothing where it found none. */
export function pathTo(model: PathModel, { paths }: Pick<Walk, 'paths'>, name: string): Path | undefined {
  const ways = paths.flatMap((path) => {
    const last = path.steps.findIndex((_, at) => isAt(path, at, name))
    return last === -1 ? [] : [{ path, last }]
  })
  const [first, ...rest] = ways
  if (first === undefined) return undefined
  const { path, last } = rest.reduce((one, other) => (other.last < one.last ? other : one), first)
  return upTo(model, path, last)
}

function isAt({ steps, takesAt }: Path, at: number, name: string): boolean {
  const takes = takesAt[at] ?? []
  if (takes.includes(name) || takes.some((one) => one.startsWith(`${name}: at once`))) return true
  const within = steps[at]?.state._nodes as AnyStateNode[]
  return within.some((node) => node.path.join('.') === name)
}

/**
 * What somebody means by the name of a transition or a state: the whole name, or a part that only one of them has; `->`
 * for the arrow will do.
 * @returns one name, or all that fit, or none
 */
export function meantBy(
  { states, transitions }: Pick<Walk, 'states' | 'transitions'>,
  words: string,
): string[] {
  const plain = (name: string) => name.replaceAll('->', '→').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const names = [...new Set([...transitions, ...states])]
  const exact = names.filter((name) => plain(name) === plain(words))
  return exact.length > 0 ? exact : names.filter((name) => plain(name).includes(plain(words)))
}
