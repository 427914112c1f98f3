import {
  type AnyEventObject,
  type AnyMachineSnapshot,
  type AnyStateMachine,
  initialTransition,
  type StateValue,
  transition,
} from 'xstate'
import type { RecordedEvent, RecordedStart, Recording } from '#machines/contracts/recording.ts'
import { messageOf } from '#machines/rules/message-of.ts'
import { createSecrets, STAND_IN } from './secrets.ts'
import { after } from './situation.ts'
import { revived, written } from './written.ts'

/** The recorded events sent to the machines as they are now, with nothing acting on the world. */
export type Rerun = {
  /** Sends an event; answers how the machine ended elsewhere than it did then. It goes on from where it was then. */
  send(event: RecordedEvent): string | undefined
}

/** @param machines by name: of one that is not among them `send` says so */
export function rerunOf(start: Recording['start'], machines: ReadonlyMap<string, AnyStateMachine>): Rerun {
  const recorded = new Map(start.machines.map((one) => [one.actor, one]))
  const now = new Map<string, AnyMachineSnapshot>()
  for (const one of start.machines) put(one)

  /** Puts a machine where it was then; its chart may not know that place any more. */
  function put(one: RecordedStart): string | undefined {
    const machine = machines.get(one.machine)
    if (machine === undefined) return `There is no machine ${one.machine} any more.`
    try {
      const context = revived(one.context, answerOf(one.actor)) as Record<string, unknown>
      now.set(one.actor, machine.resolveState({ value: one.state as StateValue, context }))
    } catch (error) {
      now.delete(one.actor)
      return `${one.machine} has no state ${stateText(one.state)} any more: ${messageOf(error)}`
    }
    return undefined
  }

  /** What a form checks with cannot be recorded, only what it found. */
  function answerOf(actor: string): () => unknown {
    return () => revived(recorded.get(actor)?.context.faults ?? [])
  }

  function step(machine: AnyStateMachine, event: RecordedEvent): AnyMachineSnapshot | undefined {
    const sent = revived(event.event, answerOf(event.actor)) as AnyEventObject & { input?: unknown }
    if (sent.type === 'xstate.init') return initialTransition(machine, sent.input)[0]
    const before = now.get(event.actor)
    return before && transition(machine, before, sent)[0]
  }

  return {
    send(event) {
      const machine = machines.get(event.machine)
      if (machine === undefined) return `There is no machine ${event.machine} any more.`
      const isBeginning = event.event.type === 'xstate.init'
      const then = after(isBeginning ? undefined : recorded.get(event.actor), event)
      recorded.set(event.actor, then)
      if (event.event.type === 'xstate.stop') {
        now.delete(event.actor)
        return undefined
      }
      try {
        const next = step(machine, event)
        if (next === undefined) return put(then) ?? `${event.machine} was not running.`
        const differs = difference(then, event.status, next)
        if (differs === undefined) now.set(event.actor, next)
        else put(then)
        return differs
      } catch (error) {
        put(then)
        return `${event.machine} fails on ${event.event.type}: ${messageOf(error)}`
      }
    },
  }
}

function difference(
  { state, context }: RecordedStart,
  status: RecordedEvent['status'],
  next: AnyMachineSnapshot,
): string | undefined {
  if (!isSame(state, next.value))
    return `It was ${stateText(state)} then, and is ${stateText(next.value)} now.`
  if (status !== next.status) return `It was ${status} then, and is ${next.status} now.`
  const now = written(next.context, createSecrets()) as Record<string, unknown>
  const other = Object.keys({ ...context, ...now }).filter((key) => !isSame(context[key], now[key]))
  return other.length === 0
    ? undefined
    : `Of what it knows, this is other now than then: ${other.join(', ')}.`
}

const NOT_COMPARED = ['$function', '$items', '$text', '$left']

/** Equal as far as both are known: a secret is only a secret, and what was left out may be anything. */
function isSame(then: unknown, now: unknown): boolean {
  if (then === now) return true
  if (typeof then === 'string' && typeof now === 'string') return STAND_IN.test(then) && STAND_IN.test(now)
  if (typeof then !== 'object' || typeof now !== 'object' || then === null || now === null) return false
  if (NOT_COMPARED.some((mark) => mark in then || mark in now)) return true
  const [one, other] = [then as Record<string, unknown>, now as Record<string, unknown>]
  return Object.keys({ ...one, ...other }).every((key) => isSame(one[key], other[key]))
}

/** A state in words: `authenticated.fresh`, `a.x and b.y`. */
export function stateText(state: unknown): string {
  if (typeof state === 'string') return state
  return Object.entries(state as object)
    .map(([region, inner]) => {
      const words = stateText(inner)
      return words === '' ? region : `${region}.${words}`
    })
    .join(' and ')
}
