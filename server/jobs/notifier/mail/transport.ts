import type { Transport as Way } from '../sending/channel.ts'
import type { Letter } from './letter.ts'

/** A way for letters to leave the server. */
export type Transport = Way<Letter, 'smtp' | 'outbox'>

/** Without a mail server: that it was written is logged, and it can be read in the outbox from then on. */
export const outboxTransport: Transport = { via: 'outbox', deliver: async () => ({ is: 'sent' }) }
