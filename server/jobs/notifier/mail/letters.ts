import type { Fact, FactOf, FactType } from '#machines/contracts/facts.ts'
import { activationLetter } from './activation-letter.ts'
import { alertLetter } from './alert-letter.ts'
import { askLetter } from './ask-letter.ts'
import { headLetter } from './head-letter.ts'
import type { Letter, Source } from './letter.ts'
import { passwordLetter } from './password-letter.ts'
import { reportLetter } from './report-letter.ts'

type Write<T extends FactType> = (fact: FactOf<T>, source: Source) => Letter | undefined

/**
 * What somebody is notified of by mail. A further kind of letter is a file beside this one and a line here; a fact has one
 * addressee, so what concerns many is first a fact for each of them.
 */
const WRITTEN_FOR: { [T in FactType]?: Write<T> } = {
  'link.issued': (fact, source) => {
    if (fact.data.isPrinted) return undefined
    return fact.data.purpose === 'activation' ? activationLetter(fact, source) : passwordLetter(fact, source)
  },
  'alert.raised': alertLetter,
  'report.addressed': reportLetter,
  'schedule-mail.asked': askLetter,
  'seal.head-addressed': headLetter,
}

/** The facts that may become letters. */
export const MAILED_FACTS = Object.keys(WRITTEN_FOR) as FactType[]

/** The letter about a fact; undefined: nobody is to be notified of it, or nobody is there any more. */
export function letterOf(fact: Fact, source: Source): Letter | undefined {
  const write = WRITTEN_FOR[fact.type] as Write<FactType> | undefined
  return write?.(fact, source)
}
