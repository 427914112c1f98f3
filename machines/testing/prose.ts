import type { AnyEventObject, AnyMachineSnapshot, AnyStateNode } from 'xstate'
import { eventWords } from './chart.ts'
import type { Path, PathModel, Walk } from './path-model.ts'
import { isWait } from './replay.ts'

/** The paths as sentences, one step a line, so that a change of chart shows when it is reviewed. Ends with a newline. */
export function prose(model: PathModel, found: Walk): string {
  const head = `${found.name}: ${found.states.length} states, ${found.transitions.length} transitions, ${found.paths.length} path${found.paths.length === 1 ? '' : 's'}`
  const paths = found.paths.map((path, i) => `${i + 1}. ${sentencesOf(model, path).join('\n   ')}`)
  return `${[head, ...paths].join('\n\n')}\n`
}

/** One path as sentences, a step each. */
export function sentencesOf(model: PathModel, path: Path): string[] {
  return clauses(model, path).map(({ on, outcome }) =>
    on === null ? `It ${outcome}.` : `${opening(on)} it ${outcome}.`,
  )
}

/** What came at each step of a path, null at its start, and what came of it: `is idle`, `stays idle`. */
export function clauses(model: PathModel, path: Path): { on: string | null; outcome: string }[] {
  const places = path.steps.map(({ state }) => stateWords(state))
  return path.steps.map(({ event }, at) => {
    if (at === 0) return { on: null, outcome: `is ${places[0]}` }
    const verb = places[at] === places[at - 1] ? 'stays' : 'is'
    return { on: words(model, event), outcome: `${verb} ${places[at]}` }
  })
}

/** A path by what comes on it: `push, then lock`. */
export function titleOf(model: PathModel, { steps }: Path): string {
  const [, ...rest] = steps
  if (rest.length === 0) return 'its start'
  return rest.map(({ event }) => described(model, event) ?? eventWords(event.type)).join(', then ')
}

const opening = (event: string): string => (event.startsWith('after ') ? `A${event.slice(1)}` : `On ${event}`)

function words(model: PathModel, event: AnyEventObject): string {
  const text = described(model, event)
  if (text !== undefined) return text
  const { type, ...fields } = event
  const list = Object.entries(fields).map(([name, value]) => `${name} ${shown(value)}`)
  return `${eventWords(type)}${list.length === 0 ? '' : ` (${list.join(', ')})`}`
}

function described(model: PathModel, event: AnyEventObject): string | undefined {
  return isWait(event.type) ? undefined : model.describe?.(event)
}

function shown(value: unknown): string {
  if (value instanceof Error) return `"${value.message}"`
  return JSON.stringify(value) ?? String(value)
}

/** The innermost states, by their description where the chart has one: "authenticated.fresh", "a and b". */
function stateWords(snapshot: AnyMachineSnapshot): string {
  return (snapshot._nodes as AnyStateNode[])
    .filter((node) => node.type === 'atomic' || node.type === 'final')
    .map((node) => node.description ?? node.path.join('.'))
    .join(' and ')
}
