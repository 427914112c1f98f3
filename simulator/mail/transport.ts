import type { Letter } from './letter.ts'

/**
 * What came of a try. `refused`: this letter, for good. `later`: this letter, for now. `closed`: nobody takes letters
 * now, this or another. `reason` is for whoever runs the house.
 */
export type Outcome = { is: 'sent' } | { is: 'refused' | 'later' | 'closed'; reason: string }

/** A way for letters to leave the house. */
export type Transport = {
  via: 'smtp' | 'outbox'
  /** never rejects; `signal` cuts a try short, which counts as `closed` */
  deliver(letter: Letter, signal: AbortSignal): Promise<Outcome>
}

/** Without a mail server: that it was written is told, and it can be read in the outbox from then on. */
export const outboxTransport: Transport = { via: 'outbox', deliver: async () => ({ is: 'sent' }) }
