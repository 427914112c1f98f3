import { expect, test } from 'vitest'
import type { Fact, FactData } from '#machines/contracts/facts.ts'
import { DAY_MS } from '#machines/projections/scheduled-mail.ts'
import { twoCompanies } from '../../../commands/testing/company-facts.ts'
import { given } from '../../../commands/testing/given.ts'
import { watchWithheld } from './withheld.ts'

test('what is withheld is counted, and a budget that is over is told once a company and day', () => {
  const warnings: string[] = []
  let emit: (advance: { facts: Fact[] }) => void = () => {}
  const { directory } = given(...twoCompanies)
  const onAdvance = (listener: typeof emit) => {
    emit = listener
    return () => {}
  }
  const withheld = watchWithheld({ directory, onAdvance }, (message) => warnings.push(message))
  const happens = (companyId: string, because: FactData<'schedule-mail.withheld'>['because'], at = 0) => {
    const data = { reportId: 'r1', scheduleId: 's1', to: 'a@b.example', because }
    const fact = { ...{ type: 'schedule-mail.withheld', at, companyId, data }, seq: 1, id: 'f1', v: 1 }
    emit({ facts: [{ ...fact, recordedAt: at } as Fact] })
  }
  happens('indus', 'confirm')
  happens('indus', 'budget')
  happens('indus', 'budget')
  happens('karakoram', 'budget')
  happens('indus', 'budget', DAY_MS)
  expect(withheld.stats()).toEqual({ confirm: 1, unsubscribed: 0, budget: 4 })
  expect(warnings.map((each) => each.split(':')[0])).toEqual(['indus', 'karakoram', 'indus'])
})
