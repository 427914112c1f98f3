import type { AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { eventWords } from './chart.ts'
import type { Path, PathModel } from './path-model.ts'
import { isWait } from './replay.ts'
import { samplesIn } from './traversal.ts'

/** Why no path is in a state. */
export function whyNotEntered(
  state: AnyStateNode,
  transitions: ReadonlyMap<AnyTransitionDefinition, string>,
): string {
  const within = (node: AnyStateNode | undefined): boolean =>
    node !== undefined && (node === state || within(node.parent))
  const leading = [...transitions].filter(([{ target }]) => target?.some(within))
  if (leading.length === 0) return 'no transition leads to it'
  return `no path takes what leads to it: ${leading.map(([, name]) => name).join('; ')}`
}

/** Why no path takes a transition, as far as samples and guards show. */
export function whyNotTaken(
  { source, eventType, guard }: AnyTransitionDefinition,
  model: PathModel,
  paths: readonly Path[],
  entered: ReadonlySet<AnyStateNode>,
): string {
  const place = source.path.join('.') || 'the machine'
  if (!entered.has(source)) return `${place} is not reached`
  const condition = guard === undefined ? 'what stands before it' : `its guard ${guardWords(guard)}`
  const wrong = guard === undefined ? 'always takes them first' : 'holds for none of them'
  if (eventType === '')
    return `${place} is entered, but ${condition} ${guard ? 'never holds' : 'always does'} there`
  if (isWait(eventType)) return `${place} waits, but something else always comes before the wait's end`
  const situations = paths.flatMap(({ steps }) => steps.map(({ state }) => state))
  const here = situations.filter((state) => (state._nodes as AnyStateNode[]).includes(source))
  const isSampled = here.some((state) => samplesIn(model, state).some(({ type }) => fits(type, eventType)))
  if (isSampled) return `there are samples of ${eventWords(eventType)} in ${place}, but ${condition} ${wrong}`
  return `${model.name}.samples.ts has no sample of it: { type: '${eventType}' } in ${place}`
}

function fits(type: string, pattern: string): boolean {
  return (
    pattern === '*' || type === pattern || (pattern.endsWith('.*') && type.startsWith(pattern.slice(0, -1)))
  )
}

function guardWords(guard: unknown): string {
  if (typeof guard === 'string') return guard
  if (typeof guard === 'function' && guard.name !== '' && guard.name !== 'guard') return guard.name
  const type = (guard as { type?: unknown }).type
  return typeof type === 'string' ? type : 'as written in the chart'
}
