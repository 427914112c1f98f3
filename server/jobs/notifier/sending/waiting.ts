import type { Fact } from '#machines/contracts/facts.ts'
import { factsBetween, factsInBreaths, loadCheckpoint, saveCheckpoint } from '../../../store/log-follower.ts'
import type { Store } from '../../../store/store.ts'
import type { Channel, Message } from './channel.ts'

/** A fact whose message has not left. */
export type Waiting = {
  fact: Fact
  tries: number
  /** `uptime` before which it is not tried again */
  notBefore: number
  /** how many others had been taken when the other side first took no messages at this one; undefined: it never did so */
  closedAfter: number | undefined
  /** what came of the last try */
  reason: string | undefined
}

type Place = Pick<Store, 'log' | 'checkpoints'>

const SHAPE = 1

/** Every message up to `settled` has left or was given up, but for those passed over, by `seq` of their facts. */
type Saved = { settled: number; passedOver?: number[] }

export type WaitingMessages = ReturnType<typeof createWaiting>

/**
 * What waits to be sent, by `seq` of its fact, oldest first: a fold of facts with a message and of facts about sending. Companies take
 * turns, so that none waits for all that another has to say.
 */
export function createWaiting(
  { log, checkpoints }: Place,
  { name, types, isToSend, endedBy }: Pick<Channel<Message>, 'name' | 'types' | 'isToSend' | 'endedBy'>,
) {
  const waiting = new Map<number, Waiting>()
  /** by company, when its last turn was, counted in turns */
  const turns = new Map<string | null, number>()
  let turn = 0
  const lastTurn = ({ fact }: Waiting): number => turns.get(fact.companyId) ?? 0

  function take(fact: Fact): void {
    const ended = endedBy(fact)
    if (ended !== undefined) waiting.delete(ended)
    else if (isToSend(fact))
      waiting.set(fact.seq, { fact, tries: 0, notBefore: 0, closedAfter: undefined, reason: undefined })
  }

  const kind = { name, shape: SHAPE }

  return {
    take,
    done: ({ fact }: Waiting) => waiting.delete(fact.seq),
    get size() {
      return waiting.size
    },
    /**
     * The first that may be tried at this `uptime`, of the company whose last turn is longest ago, else how long until one may;
     * Infinity: there is none. One at which the other side closed comes after the others: it may be why.
     */
    next(uptime: number): { due: Waiting } | { due: undefined; inMs: number } {
      let inMs = Number.POSITIVE_INFINITY
      let first: Waiting | undefined
      let last: Waiting | undefined
      for (const each of waiting.values()) {
        if (each.notBefore > uptime) inMs = Math.min(inMs, each.notBefore - uptime)
        else if (each.closedAfter !== undefined) last ??= each
        else if (first === undefined || lastTurn(each) < lastTurn(first)) first = each
      }
      const due = first ?? last
      if (due === undefined) return { due, inMs }
      turns.set(due.fact.companyId, ++turn)
      return { due }
    },
    /** folds in what the log holds up to `seq`, from where every message had left or was given up, until the signal is given */
    async restore(seq: number, signal: AbortSignal): Promise<void> {
      const { settled, passedOver = [] } = loadCheckpoint<Saved>(checkpoints, kind) ?? { settled: 0 }
      for (const one of passedOver) for (const fact of log.readFacts(one - 1, { limit: 1 })) take(fact)
      for await (const fact of factsInBreaths(log, types, { after: settled, upTo: seq })) {
        if (signal.aborted) return
        take(fact)
      }
    },
    /** folds in what came meanwhile, at once */
    takeBetween(after: number, upTo: number): void {
      for (const fact of factsBetween(log, types, { after, upTo })) take(fact)
    },
    /** @param seq up to where facts were taken */
    checkpoint(seq: number): void {
      const passedOver: number[] = []
      let settled = seq
      for (const [oldest, { notBefore }] of waiting)
        if (notBefore === Number.POSITIVE_INFINITY) passedOver.push(oldest)
        else {
          settled = oldest - 1
          break
        }
      saveCheckpoint(checkpoints, kind, { settled, passedOver } satisfies Saved)
    },
  }
}
