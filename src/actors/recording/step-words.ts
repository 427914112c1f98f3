import { decode } from '#machines/contracts/decode.ts'
import { decodeFleetSnapshot } from '#machines/contracts/fleet-snapshot.ts'
import { decodeLiveFrame, type LiveFrame } from '#machines/contracts/live-frame.ts'
import { LiveMessage } from '#machines/contracts/live-messages.ts'
import type { RecordedStep } from '#machines/contracts/recording.ts'
import { SERVER_EVENTS } from '#machines/contracts/sockets.ts'
import { counted } from '#machines/rules/figures.ts'
import { messageOf } from '#machines/rules/message-of.ts'
import { eventWords } from '#machines/testing/chart.ts'
import { fromBase64 } from './base64.ts'
import { stateText } from './rerun.ts'

/** A step in a line: whose it is, and what happened. */
export type StepWords = { who: string; what: string }

const WIRES = { live: '/live', notifications: '/notifications' } as const

/** Read once: a list asks again with each row that comes into view, and a whole fleet takes a while. */
const known = new WeakMap<RecordedStep, StepWords>()

/** What cannot be understood says so. */
export function wordsOf(step: RecordedStep): StepWords {
  const words = known.get(step) ?? read(step)
  known.set(step, words)
  return words
}

function read(step: RecordedStep): StepWords {
  switch (step.kind) {
    case 'event':
      return { who: step.machine, what: `${happening(step.event.type)} → ${placeOf(step)}` }
    case 'route':
      return { who: 'page', what: step.path }
    case 'wire':
      return {
        who: WIRES[step.wire],
        what: step.isOpen ? 'opened' : `closed${step.reason === '' ? '' : `: ${step.reason}`}`,
      }
    case 'fleet':
      return {
        who: 'fleet',
        what: trying(() => `${decodeFleetSnapshot(fromBase64(step.data)).head.devices} devices fetched`),
      }
    case 'bytes':
      return { who: WIRES[step.wire], what: trying(() => frameWords(decodeLiveFrame(fromBase64(step.data)))) }
    case 'message':
      return { who: WIRES[step.wire], what: `${step.way === 'out' ? 'said: ' : ''}${messageWords(step)}` }
  }
}

function happening(type: string): string {
  if (type === 'xstate.init') return 'begins'
  return type === 'xstate.stop' ? 'is let go' : eventWords(type)
}

function placeOf({ status, state }: Extract<RecordedStep, { kind: 'event' }>): string {
  return status === 'active' ? stateText(state) : status === 'done' ? `${stateText(state)}, done` : status
}

function frameWords({ device, movedRow, prevSeq, seq, resumed }: LiveFrame): string {
  const moved = movedRow.length === 0 ? '' : `, ${movedRow.length} moved`
  return `${resumed ? 'what was missed: ' : ''}${counted(device.length, 'device')}${moved}, ${prevSeq} to ${seq}`
}

function messageWords({ wire, way, name, data }: Extract<RecordedStep, { kind: 'message' }>): string {
  if (wire === 'notifications') return `${name ?? 'something'}${trying(() => eventDetail(name, data))}`
  if (way === 'out') {
    const { type, after } = data as { type?: unknown; after?: unknown }
    return `${String(type)}${after === undefined ? '' : ` after ${String(after)}`}`
  }
  return trying(() => {
    const message = decode(data, LiveMessage, 'live message')
    switch (message.type) {
      case 'welcome':
        return `welcome at ${message.seq}`
      case 'age':
        return `everything sent up to ${message.seq}, ×${message.speed}${message.paused ? ', paused' : ''}`
      case 'changed':
        return `other ${message.subject}`
      case 'scope':
        return 'what one sees is other now'
      case 'snapshot':
        return 'fetch the fleet anew'
    }
  })
}

function eventDetail(name: string | undefined, data: unknown): string {
  if (name === 'facts') {
    const { facts } = decode(data, SERVER_EVENTS.facts, name)
    return facts.length === 0 ? ': none' : `: ${facts.map(({ type }) => type).join(', ')}`
  }
  if (name === 'notification') return `: ${decode(data, SERVER_EVENTS.notification, name).thingName}`
  return ''
}

function trying(words: () => string): string {
  try {
    return words()
  } catch (error) {
    return `not understood: ${messageOf(error)}`
  }
}
