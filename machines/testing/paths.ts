/**
 * Walks a machine: the shortest path to every situation, and a path over every transition (shortest paths alone skip
 * edges). The one door to the path generators: `@xstate/test` (a beta, pinned) walks domain machines and refuses
 * timers and invokes, `xstate/graph`, its successor, walks the others.
 *
 * A machine's folder holds `x.samples.ts` with its `model` (see path-model.ts) and this test:
 *
 *     const found = walk(model)
 *     test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
 *     test('the paths are those on record', () =>
 *       expect(prose(model, found)).toBe(readFileSync(new URL('./x.paths.txt', import.meta.url), 'utf8')))
 *
 * `npm run paths -- --write` writes the record.
 */
import { createTestModel } from '@xstate/test'
import type { AnyMachineSnapshot, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { adjacencyMapToArray, getAdjacencyMap, getShortestPaths, TestModel } from 'xstate/graph'
import { statesOf, transitionsOf } from './chart.ts'
import type { Path, PathModel, PathRun, PathStep, Walk, WalkOptions } from './path-model.ts'
import { wander } from './random.ts'
import { whyNotEntered, whyNotTaken } from './reasons.ts'
import { replay, silenced } from './replay.ts'
import { enabledBy, type Traversal, traversalOf } from './traversal.ts'

/**
 * Every path is played on an actor of the machine before it counts.
 * @throws Error when a replay ends elsewhere than the chart says, or there are more than `limit` situations
 */
export function walk(given: PathModel, { avoid = [], by }: WalkOptions = {}): Walk {
  const model = { ...given, machine: silenced(given) }
  const states = statesOf(model.machine)
  const transitions = transitionsOf(model.machine)
  const isAvoided = (one: AnyTransitionDefinition) => avoid.includes(transitions.get(one) ?? '')
  const namesOf = (some: Iterable<AnyTransitionDefinition>) =>
    [...some].flatMap((one) => transitions.get(one) ?? [])
  const taken = new Set<AnyTransitionDefinition>()
  const entered = new Set<AnyStateNode>()
  const found: Path[] = []
  for (const candidate of candidates(model, traversalOf(model, avoid), isAvoided, by)) {
    const played = replay(model, candidate.steps)
    const steps = played.map(({ step }) => step)
    const takesAt = played.map((one) => one.takes)
    const takes = new Set(takesAt.flatMap((some) => [...some]))
    if ([...takes].some(isAvoided)) continue
    if (candidate.isForNew && ![...takes].some((one) => transitions.has(one) && !taken.has(one))) continue
    for (const one of takes) {
      taken.add(one)
      entered.add(one.source)
      for (const node of one.target ?? []) entered.add(node)
    }
    for (const { state } of steps) for (const node of state._nodes as AnyStateNode[]) entered.add(node)
    found.push(pathOf(model, steps, takesAt.map(namesOf)))
  }

  const longest = new Set(withoutPrefixes(found.map((path) => path.steps)))
  const unentered = [...states].filter(([node]) => !entered.has(node))
  const untaken = [...transitions].filter(([one]) => !taken.has(one))
  return {
    name: model.name,
    states: [...states.values()],
    transitions: [...transitions.values()],
    paths: typeof by === 'object' ? found : found.filter((path) => longest.has(path.steps)),
    unreached: [...unentered.map(([, name]) => `state ${name}`), ...untaken.map(([, name]) => name)],
    reasons: [
      ...unentered.map(([node]) => whyNotEntered(node, transitions)),
      ...untaken.map(([one]) => whyNotTaken(one, model, found, entered)),
    ],
  }
}

/** `takesAt`: names of the transitions of each step. */
function pathOf(model: PathModel, steps: PathStep[], takesAt: string[][]): Path {
  return { steps, takes: [...new Set(takesAt.flat())], takesAt, run: (on) => run(model, steps, on) }
}

/** A path as far as one of its steps, that step included. */
export function upTo(model: PathModel, { steps, takesAt }: Path, last: number): Path {
  return pathOf({ ...model, machine: silenced(model) }, steps.slice(0, last + 1), takesAt.slice(0, last + 1))
}

/** `isForNew`: counts only if it takes what no path before it takes. */
function* candidates(
  model: PathModel,
  options: Traversal,
  isAvoided: (one: AnyTransitionDefinition) => boolean,
  by: WalkOptions['by'],
): Generator<{ steps: PathStep[]; isForNew: boolean }> {
  if (typeof by === 'object') {
    for (const steps of wander(model, options, isAvoided, by)) yield { steps, isForNew: false }
    return
  }
  const shortest = shortestPaths(model, options)
  if (by !== 'transitions') for (const steps of withoutPrefixes(shortest)) yield { steps, isForNew: false }
  if (by !== 'shortest') for (const steps of edges(model, options, shortest)) yield { steps, isForNew: true }
}

/**
 * `createTestModel` refuses what a domain machine must not have. Its own generator was made for an older XState and
 * fails on actions, so it is handed the one of `xstate/graph`.
 */
function shortestPaths(model: PathModel, options: Traversal): PathStep[][] {
  const generate = () => getShortestPaths(model.machine, { ...options, input: model.input })
  if (model.kind === 'screen') return generate().map(({ steps }) => steps)
  return createTestModel(model.machine)
    .getPaths(generate)
    .map(({ steps }) => steps)
}

/** For each situation and sample that does something: the shortest way there, and that step. */
function* edges(model: PathModel, options: Traversal, shortest: PathStep[][]): Generator<PathStep[]> {
  const wayTo = new Map<string, PathStep[]>()
  for (const steps of shortest)
    steps.forEach(({ state }, i) => {
      const key = options.serializeState(state)
      const known = wayTo.get(key)
      if (known === undefined || known.length > i + 1) wayTo.set(key, steps.slice(0, i + 1))
    })
  const seen = new Set<string>()
  const names = transitionsOf(model.machine)
  const all = getAdjacencyMap(model.machine, { ...options, input: model.input })
  for (const { state, event, nextState } of adjacencyMapToArray(all)) {
    const enabled = enabledBy(model, state, event)
    const key = `${enabled.map((one) => names.get(one)).join()}|${JSON.stringify([state.value, nextState.value])}`
    if (enabled.length === 0 || seen.has(key)) continue
    seen.add(key)
    yield [...(wayTo.get(options.serializeState(state)) ?? []), { event, state: nextState }]
  }
}

/** Without the paths that are the beginning of another one. */
function withoutPrefixes(paths: PathStep[][]): PathStep[][] {
  const keys = paths.map((steps) => `${steps.map(({ event }) => JSON.stringify(event)).join('\n')}\n`)
  return paths.filter(
    (_, i) => !keys.some((key, j) => j !== i && key.startsWith(keys[i] ?? '') && (key !== keys[i] || j < i)),
  )
}

async function run(model: PathModel, steps: PathStep[], on: PathRun): Promise<void> {
  const last = steps.at(-1)
  if (last === undefined) return
  const tested = new TestModel(model.machine, {
    stateMatcher: (snapshot: AnyMachineSnapshot, key: string) =>
      key.startsWith('#')
        ? (snapshot._nodes as AnyStateNode[]).includes(model.machine.getStateNodeById(key))
        : key !== '*' && snapshot.matches(key),
  })
  await tested.testPath({ steps, state: last.state, weight: steps.length }, on)
}
