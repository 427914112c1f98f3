import { deserialize, serialize } from 'node:v8'
import type { Fact } from '#machines/contracts/facts.ts'
import type { Store } from '../../../store/store.ts'
import type { Channel, Message } from './channel.ts'

/** A fact whose message has not left. */
export type Waiting = {
  fact: Fact
  tries: number
  /** `uptime` before which it is not tried again */
  notBefore: number
  /** what came of the last try */
  reason: string | undefined
}

type Place = Pick<Store, 'log' | 'checkpoints'>

const SHAPE = 1
/** Facts are kept for ever: who sends holds back no telemetry. */
const NEEDS_NO_BATCHES = Number.MAX_SAFE_INTEGER
const FACTS_A_STEP = 1000

/** What waits to be sent, by `seq` of its fact, oldest first: a fold of what was to be told and what was sent. */
export function createWaiting(
  { log, checkpoints }: Place,
  { name, types, isToSend, endedBy }: Pick<Channel<Message>, 'name' | 'types' | 'isToSend' | 'endedBy'>,
) {
  const waiting = new Map<number, Waiting>()

  function take(fact: Fact): void {
    const ended = endedBy(fact)
    if (ended !== undefined) waiting.delete(ended)
    else if (isToSend(fact)) waiting.set(fact.seq, { fact, tries: 0, notBefore: 0, reason: undefined })
  }

  /** Whatever was to be told up to here is told, given up or of no use any more. */
  function settledAt(): number {
    const saved = checkpoints.load(name)
    if (saved === undefined) return 0
    const { shape, settled } = deserialize(saved.bytes)
    return shape === SHAPE ? settled : 0
  }

  return {
    take,
    done: ({ fact }: Waiting) => waiting.delete(fact.seq),
    get size() {
      return waiting.size
    },
    /** the first that may be tried at this `uptime`, else how long until one may; Infinity: there is none */
    next(uptime: number): { due: Waiting } | { due: undefined; inMs: number } {
      let inMs = Number.POSITIVE_INFINITY
      for (const each of waiting.values()) {
        if (each.notBefore <= uptime) return { due: each }
        inMs = Math.min(inMs, each.notBefore - uptime)
      }
      return { due: undefined, inMs }
    },
    /** folds in what the log holds up to `seq`, from where nothing was left to do */
    restore(seq: number): void {
      for (let from = settledAt(); ; ) {
        const facts = log.readFacts(from, { types: [...types], limit: FACTS_A_STEP })
        for (const fact of facts) if (fact.seq <= seq) take(fact)
        from = facts.at(-1)?.seq ?? seq
        if (facts.length < FACTS_A_STEP || from >= seq) return
      }
    },
    /** @param seq up to where facts were taken */
    checkpoint(seq: number): void {
      const [oldest] = waiting.keys()
      const settled = oldest === undefined ? seq : oldest - 1
      checkpoints.save(name, NEEDS_NO_BATCHES, serialize({ shape: SHAPE, settled }))
    },
  }
}
