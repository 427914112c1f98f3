import type { Fact } from '#machines/contracts/facts.ts'
import { mailboxOf } from '#machines/rules/mailbox.ts'
import type { EventLog } from '../../../store/store.ts'
import type { Source } from './letter.ts'
import { letterOf } from './letters.ts'

/** A letter that was kept instead of sent; `at` epoch ms of the server's clock. */
export type KeptMail = {
  channel: 'email'
  to: string
  subject: string
  text: string
  html: string
  links: string[]
  /** names of the files with it */
  attachments: string[]
  at: number
}

const FACTS_A_STEP = 1000

/**
 * What would have been sent, newest first, written again from the log; letters to people who are gone since cannot be.
 * @param to the addressee, in any case; undefined: all
 */
export function outboxOf(source: Source, to?: string): KeptMail[] {
  const { log } = source
  const wanted = to === undefined ? undefined : mailboxOf(to)
  const kept: KeptMail[] = []
  for (const fact of sentFacts(log)) {
    if (fact.type !== 'mail.sent' || fact.data.via !== 'outbox') continue
    const { about, to: address, leftOut = [] } = fact.data
    const isLeftOut = (seq: number): boolean => leftOut.includes(seq)
    if (wanted !== undefined && mailboxOf(address) !== wanted) continue
    const [cause] = log.readFacts(about - 1, { limit: 1 })
    const letter = cause?.seq === about ? letterOf(cause, { ...source, isLeftOut }) : undefined
    if (letter === undefined) continue
    const { subject, text, html, links } = letter
    const attachments = (letter.attachments ?? []).map(({ filename }) => filename)
    kept.push({ channel: 'email', to: address, subject, text, html, links, attachments, at: fact.at })
  }
  return kept.reverse()
}

function* sentFacts(log: Pick<EventLog, 'readFacts'>): Generator<Fact> {
  for (let from = 0; ; ) {
    const facts = log.readFacts(from, { types: ['mail.sent'], limit: FACTS_A_STEP })
    yield* facts
    const last = facts.at(-1)
    if (last === undefined) return
    from = last.seq
  }
}
