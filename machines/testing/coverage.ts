import type { Coverage, Taken } from '../contracts/calls/lab-calls.ts'
import type { Walk } from './path-model.ts'

/** How much of something was covered, and what was not. */
export type Share = { covered: number; of: number; missing: string[] }

/** What two sources have covered together: how often each, added up. */
export function merged(one: Coverage, other: Coverage): Coverage {
  const all: Coverage = { ...one }
  for (const [machine, taken] of Object.entries(other)) {
    const known = Object.hasOwn(all, machine) ? all[machine] : undefined
    all[machine] = known === undefined ? taken : mergedTaken(known, taken)
  }
  return all
}

function mergedTaken(one: Taken, other: Taken): Taken {
  return {
    states: added(one.states, other.states),
    transitions: added(one.transitions, other.transitions),
  }
}

function added(one: Record<string, number>, other: Record<string, number>): Record<string, number> {
  const sums = { ...one }
  for (const [name, count] of Object.entries(other))
    sums[name] = (Object.hasOwn(sums, name) ? (sums[name] ?? 0) : 0) + count
  return sums
}

/** One more time each of what is named. */
export function counted(
  machine: string,
  states: readonly string[],
  transitions: readonly string[],
): Coverage {
  return { [machine]: { states: tallied(states), transitions: tallied(transitions) } }
}

function tallied(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** What the generated paths cover: all of the chart but what is unreached. */
export function generated(found: Walk): Taken {
  const unreached = new Set(found.unreached)
  const walked = found.paths.flatMap(({ takes }) => takes)
  return {
    states: tallied(found.states.filter((name) => !unreached.has(`state ${name}`))),
    transitions: tallied(walked),
  }
}

/** How many of these names were covered. What was covered but is no longer in the chart does not count. */
export function shareOf(
  names: readonly string[],
  counts: Readonly<Record<string, number>> | undefined,
): Share {
  const missing = names.filter((name) => counts === undefined || !Object.hasOwn(counts, name))
  return { covered: names.length - missing.length, of: names.length, missing }
}

/** The names of the states a machine is in, from its value: `{ a: 'b' }` is in `a` and `a.b`. */
export function statesIn(value: unknown, parent = ''): string[] {
  if (typeof value === 'string') return [parent === '' ? value : `${parent}.${value}`]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = parent === '' ? name : `${parent}.${name}`
    return [here, ...statesIn(inner, here)]
  })
}

/** The states a transition's name holds: those it leaves and enters, without the ones around and in them. */
export function endsOf(transition: string): string[] {
  const from = transition.slice(0, transition.indexOf(': '))
  const to = transition.slice(transition.lastIndexOf(' → ') + 3).split(' and ')
  return [from, ...to].filter((name) => !NO_STATES.includes(name))
}

/** What chart.ts says where there is no name. */
const NO_STATES = ['anywhere', 'stays', 'the start', '']
