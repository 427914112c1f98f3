import type { Fact, FactOf } from '#machines/contracts/facts.ts'
import { reachablePhone } from '#machines/rules/phone-number.ts'
import type { EventLog } from '../../../store/store.ts'
import { stillConcerning } from '../alerts/concerned.ts'
import type { Channel } from '../sending/channel.ts'
import { type Sender, type SenderOptions, startSender } from '../sending/sender.ts'
import { alertText, type TextSource } from './alert-text.ts'
import type { SmsProvider } from './sms-gateway.ts'
import type { TextMessage } from './text-message.ts'

export type TexterOptions = SenderOptions & { publicUrl: string; provider: SmsProvider }

/** A text message that was kept instead of sent; `at` epoch ms of the server's clock. */
export type KeptText = { channel: 'sms'; to: string; text: string; links: string[]; at: number }

export type Texter = Sender & {
  /** messages kept instead of sent, newest first, to one number or to all */
  outbox(to?: string): Promise<KeptText[]>
}

/** Sends the text message of each fact that has one. */
export function startTexter({ publicUrl, provider, ...options }: TexterOptions): Texter {
  const { store, readModels } = options
  const source: TextSource = { directory: readModels.directory, log: store.log, publicUrl }
  const sender = startSender(smsChannel(source, provider), options)
  return {
    ...sender,
    async outbox(to) {
      await sender.settled()
      return keptIn(store.log, to)
    },
  }
}

const smsChannel = (source: TextSource, { via, deliver }: SmsProvider): Channel<TextMessage> => ({
  name: 'sms',
  words: { one: 'text message', many: 'text messages', taker: 'SMS gateway' },
  types: ['alert.raised', 'sms.sent', 'sms.failed'],
  isToSend: ({ type, data }) => type === 'alert.raised' && data.channel === 'sms',
  endedBy: ({ type, data }) => (type === 'sms.sent' || type === 'sms.failed' ? data.about : undefined),
  messageOf: (fact) =>
    fact.type === 'alert.raised' ? alertText(fact, stillConcerning(source, fact)) : undefined,
  deliver,
  sent: (fact, message) => ({
    type: 'sms.sent',
    data: { ...about(fact, message), via, ...(message.leftOut && { leftOut: message.leftOut }) },
  }),
  failed: (fact, message, reason) => ({ type: 'sms.failed', data: { ...about(fact, message), reason } }),
})

const about = ({ seq }: Fact, { id, to, text }: TextMessage) => ({ messageId: id, about: seq, to, text })

const FACTS_A_STEP = 1000

/** @param to as people write a number; undefined: all */
function keptIn(log: Pick<EventLog, 'readFacts'>, to: string | undefined): KeptText[] {
  // a plus in an address is a blank to whoever reads it
  const wanted = to === undefined ? undefined : (reachablePhone(to) ?? reachablePhone(`+${to.trim()}`))
  const kept: KeptText[] = []
  for (let from = 0; ; ) {
    const facts = log.readFacts(from, { types: ['sms.sent'], limit: FACTS_A_STEP })
    for (const fact of facts)
      if (isKept(fact) && (to === undefined || fact.data.to === wanted)) kept.push(textOf(fact))
    if (facts.length < FACTS_A_STEP) return kept.reverse()
    from = facts.at(-1)?.seq ?? from
  }
}

const isKept = (fact: Fact): fact is FactOf<'sms.sent'> =>
  fact.type === 'sms.sent' && fact.data.via === 'outbox'

const textOf = ({ at, data: { to, text } }: FactOf<'sms.sent'>): KeptText => ({
  channel: 'sms',
  to,
  text,
  links: text.match(/https?:\/\/\S+/g) ?? [],
  at,
})
