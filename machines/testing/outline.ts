import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { transitionsOf } from './chart.ts'

/** A state as it is drawn; `name` is its path, '' the machine itself, which holds all others. */
export type DrawnState = {
  name: string
  /** the last part of its name */
  title: string
  parent: string | null
  kind: AnyStateNode['type']
  /** where its parent begins */
  isInitial: boolean
}

/** A transition as it is drawn. */
export type DrawnTransition = {
  /** as everywhere: `idle: SUBMIT [isValid] → loading` */
  name: string
  /** what it waits for: `SUBMIT` */
  on: string
  /** `[isValid]`, or nothing */
  condition: string
  from: string
  /** none where the state stays as it is */
  to: string[]
}

/** A chart as data: what a drawing of it is made from. Parents come before what is in them. */
export type Outline = { name: string; states: DrawnState[]; transitions: DrawnTransition[] }

export function outlineOf(machine: AnyStateMachine): Outline {
  const states: DrawnState[] = []
  const visit = (node: AnyStateNode): void => {
    states.push({
      name: node.path.join('.'),
      title: node.path.at(-1) ?? machine.id,
      parent: node.parent ? node.parent.path.join('.') : null,
      kind: node.type,
      isInitial: node.parent !== undefined && initialOf(node.parent).includes(node),
    })
    for (const child of Object.values(node.states)) visit(child)
  }
  visit(machine.root)
  // one event and guard may lead to the same place twice: it is one line with one name
  const drawn = new Map([...transitionsOf(machine)].map(([one, name]) => [name, drawnOf(one, name)]))
  return { name: machine.id, states, transitions: [...drawn.values()] }
}

const initialOf = (node: AnyStateNode): readonly AnyStateNode[] =>
  node.type === 'compound' ? (node.initial.target ?? []) : []

function drawnOf(transition: AnyTransitionDefinition, name: string): DrawnTransition {
  const label = name.slice(name.indexOf(': ') + 2, name.lastIndexOf(' → '))
  const [, on = label, condition = ''] = /^(.+?)(?: (\[.+\]))?$/.exec(label) ?? []
  return {
    name,
    on,
    condition,
    from: transition.source.path.join('.'),
    to: (transition.target ?? []).map((node: AnyStateNode) => node.path.join('.')),
  }
}
