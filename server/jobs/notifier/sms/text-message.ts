import type { Message } from '../sending/channel.ts'

/** A text message to one person, in the GSM alphabet. */
export type TextMessage = Message & {
  /** E.164; as it is kept, where it is no number that can be reached */
  to: string
  text: string
}
