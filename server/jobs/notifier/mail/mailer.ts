import { is } from 'superstruct'
import type { Fact } from '#machines/contracts/facts.ts'
import { Email } from '#machines/contracts/scalars.ts'
import { stillConcerning } from '../alerts/concerned.ts'
import type { Channel } from '../sending/channel.ts'
import { type Sender, type SenderOptions, startSender } from '../sending/sender.ts'
import type { Letter, Source } from './letter.ts'
import { letterOf, MAILED_FACTS } from './letters.ts'
import { type KeptMail, outboxOf } from './outbox.ts'
import type { Transport } from './transport.ts'

export type MailerOptions = SenderOptions & {
  source: Omit<Source, 'directory' | 'log'>
  transport: Transport
}

export type Mailer = Sender & {
  /** letters kept instead of sent, newest first, of one addressee or of all */
  outbox(to?: string): Promise<KeptMail[]>
}

/** Sends the letter of each fact that has one. */
export function startMailer({ transport, ...options }: MailerOptions): Mailer {
  const { store, readModels } = options
  const source: Source = { ...options.source, directory: readModels.directory, log: store.log }
  const sender = startSender(mailChannel(source, transport), options)
  return {
    ...sender,
    async outbox(to) {
      await sender.settled()
      return outboxOf(source, to)
    },
  }
}

/** Of an address that was taken once, and that a mail server would read as another. */
const NO_ADDRESS = 'no address that letters are sent to'

/** Which facts become letters, and what the record says of each that left or is given up. */
export const mailChannel = (source: Source, { via, deliver }: Transport): Channel<Letter> => ({
  name: 'mail',
  words: { one: 'letter', many: 'letters', taker: 'mail server' },
  types: [...MAILED_FACTS, 'mail.sent', 'mail.failed'],
  isToSend: ({ type, data }) =>
    MAILED_FACTS.includes(type) && (type !== 'alert.raised' || data.channel === 'email'),
  endedBy: ({ type, data }) => (type === 'mail.sent' || type === 'mail.failed' ? data.about : undefined),
  messageOf(fact) {
    const letter = letterOf(fact, fact.type === 'alert.raised' ? stillConcerning(source, fact) : source)
    return letter && !is(letter.to.address, Email) ? { ...letter, unreachable: NO_ADDRESS } : letter
  },
  deliver,
  sent: (fact, letter) => ({
    type: 'mail.sent',
    data: { ...about(fact, letter), via, ...(letter.leftOut && { leftOut: letter.leftOut }) },
  }),
  failed: (fact, letter, reason) => ({ type: 'mail.failed', data: { ...about(fact, letter), reason } }),
})

const about = ({ seq }: Fact, { id, kind, to, subject }: Letter) => ({
  letterId: id,
  about: seq,
  kind,
  to: to.address,
  subject,
})
