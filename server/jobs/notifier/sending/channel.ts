import type { Fact, FactData, FactType } from '#machines/contracts/facts.ts'

/** A message to one person. Written anew from its fact whenever it is needed: nothing of it is stored. */
export type Message = {
  /** the same whenever it is written, and nobody else's */
  id: string
  kind: string
  /** after this instant (epoch ms, the server's clock) it would only annoy */
  goodUntil: number
  /** what it was about is settled or replaced, or nobody may be told any more: not to be sent */
  isWithdrawn: boolean
  /** why nobody can be reached with it, where that is known beforehand: it is given up untried */
  unreachable?: string
  /** facts of what it is about that it does not tell */
  leftOut?: number[]
}

/**
 * What came of a try. `refused`: this message, for good. `later`: this message, for now. `closed`: nobody takes messages
 * now, this or another. `reason` is for operators.
 */
export type Outcome = { is: 'sent' } | { is: 'refused' | 'later' | 'closed'; reason: string }

/** A way for messages to leave the server. */
export type Transport<M, Via extends string> = {
  via: Via
  /** never rejects; `signal` cuts a try short, which counts as `closed` */
  deliver(message: M, signal: AbortSignal): Promise<Outcome>
}

/** What became of a message, as a fact yet to be stored; its `about` is the fact that the message is of. */
export type Ending = { [T in FactType]: { type: T; data: FactData<T> } }[FactType]

/** One kind of message: which facts become one, how it leaves, and which facts say so. */
export type Channel<M extends Message> = {
  /** of its stream and its checkpoint, and the first word of its keys */
  name: string
  /** in words, for operators */
  words: { one: string; many: string; taker: string }
  /** the facts that may become messages, and those that say what became of one */
  types: readonly FactType[]
  isToSend(fact: Fact): boolean
  /** the `seq` of the fact whose message this fact says has left or is given up */
  endedBy(fact: Fact): number | undefined
  /** undefined: nobody is to get it, or nobody is there any more */
  messageOf(fact: Fact): M | undefined
  deliver(message: M, signal: AbortSignal): Promise<Outcome>
  sent(fact: Fact, message: M): Ending
  failed(fact: Fact, message: M, reason: string): Ending
}
