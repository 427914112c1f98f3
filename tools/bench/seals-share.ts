import { array, type Infer, number, optional, string, type } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'

const Profile = type({
  nodes: array(
    type({
      id: number(),
      callFrame: type({ functionName: string(), url: string() }),
      children: optional(array(number())),
    }),
  ),
  samples: array(number()),
  /** µs before each sample */
  timeDeltas: array(number()),
})
const Stopped = type({ profile: Profile })

/** What V8's profiler saw of a thread. */
export type CpuProfile = Infer<typeof Profile>
export const CpuProfile = {
  of: (stopped: unknown): CpuProfile => decode(stopped, Stopped, 'profile').profile,
}

/** The tree, its heads, and what is said of chunks. */
const SEALS = /\/server\/(jobs\/seals\/|store\/seals\/|store\/sqlite\/(seals|chunk-groups|chunk-mark)\.ts)/
/** The walk through the whole record, once a day, in the background. */
const WALK = /\/server\/jobs\/seals\/(walk|verify-log|statements)\.ts/
const SUMS = /\/server\/store\/checksums\.ts/
const WORLD = /\/simulator\//
const OURS = /\/(server|simulator)\//
type Kind = 'seals' | 'walk' | 'sums' | 'world' | 'rest' | 'nobody'
/** Frames that are no work of anybody's: what is idle, and what cannot be told apart. */
const NOBODYS = new Set(['(idle)', '(root)', '(program)', '(garbage collector)'])

/**
 * Seconds of a thread: in the seals and in all that they call, in the day's walk through the record, in the checksums of rows, in the device world, and in the rest.
 * Collections of garbage are in none of them; waiting for the disk is in those that wait.
 */
export function shareOfSeals({ nodes, samples, timeDeltas }: CpuProfile) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const kinds = new Map<number, Kind>()

  function kindOf(node: number): Kind {
    if (NOBODYS.has(frames.get(node)?.functionName ?? '')) return 'nobody'
    const urls: string[] = []
    for (let at: number | undefined = node; at !== undefined; at = parents.get(at))
      urls.push(frames.get(at)?.url ?? '')
    if (urls.some((url) => WALK.test(url))) return 'walk'
    if (urls.some((url) => SEALS.test(url))) return 'seals'
    if (urls.some((url) => SUMS.test(url))) return 'sums'
    // the world hands its readings over by a call: whose file is innermost counts
    return WORLD.test(urls.find((url) => OURS.test(url)) ?? '') ? 'world' : 'rest'
  }

  const spent = { seals: 0, walk: 0, sums: 0, world: 0, rest: 0, nobody: 0 }
  for (const [i, node] of samples.entries()) {
    const kind = kinds.get(node) ?? kindOf(node)
    kinds.set(node, kind)
    spent[kind] += (timeDeltas[i] as number) / 1e6
  }
  return spent
}
