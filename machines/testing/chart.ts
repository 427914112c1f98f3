import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** Every state below the root that can be in: `a`, `a.b`. */
export function statesOf(machine: AnyStateMachine): Map<AnyStateNode, string> {
  const states = new Map<AnyStateNode, string>()
  const visit = (node: AnyStateNode): void => {
    for (const child of Object.values(node.states)) {
      if (child.type !== 'history') states.set(child, child.path.join('.'))
      visit(child)
    }
  }
  visit(machine.root)
  return states
}

/** Every transition of the chart as a name that is stable and readable: `idle: SUBMIT [isValid] → loading`. */
export function transitionsOf(machine: AnyStateMachine): Map<AnyTransitionDefinition, string> {
  const names = new Map<AnyTransitionDefinition, string>()
  const visit = (node: AnyStateNode): void => {
    for (const group of [...node.transitions.values(), node.always ?? []])
      group.forEach((transition, index) => {
        names.set(transition, nameOf(transition, index, group.length))
      })
    for (const child of Object.values(node.states)) visit(child)
  }
  visit(machine.root)
  return names
}

function nameOf(transition: AnyTransitionDefinition, index: number, siblings: number): string {
  const from = transition.source.path.join('.') || 'anywhere'
  const on = transition.eventType === '' ? 'at once' : eventWords(transition.eventType)
  const to = transition.target?.map((node: AnyStateNode) => node.path.join('.') || 'the start').join(' and ')
  return `${from}: ${on}${condition(transition, index, siblings)} → ${to ?? 'stays'}`
}

function condition(transition: AnyTransitionDefinition, index: number, siblings: number): string {
  const guard: unknown = transition.guard
  if (guard === undefined) return siblings > 1 ? ' [otherwise]' : ''
  if (typeof guard === 'string') return ` [${guard}]`
  const type = (guard as { type?: unknown }).type
  return typeof type === 'string' ? ` [${type}]` : ` [case ${index + 1}]`
}

/** An event's type in words: `xstate.done.actor.signIn` is "signIn answers". */
export function eventWords(type: string): string {
  const done = /^xstate\.done\.actor\.(.+)$/.exec(type)
  if (done) return `${done[1]} answers`
  const failed = /^xstate\.error\.actor\.(.+)$/.exec(type)
  if (failed) return `${failed[1]} fails`
  const moved = /^xstate\.snapshot\.(.+)$/.exec(type)
  if (moved) return `${moved[1]} moves on`
  const whole = /^xstate\.done\.state\.(.+)$/.exec(type)
  if (whole) return `${whole[1]} is done`
  const after = /^xstate\.after\.([^.]+)\./.exec(type)
  if (after) return /^\d+$/.test(after[1] ?? '') ? `after ${after[1]} ms` : `after ${after[1]}`
  return type
}
