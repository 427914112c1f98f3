import { expect, test } from 'vitest'
import type { CommandData } from '#machines/contracts/commands.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { changeCompany } from './change-company.ts'
import { COMPANY_NAME_TAKEN } from './company-words.ts'

const change = (data: Partial<CommandData<'company.change'>>) => ({
  type: 'company.change' as const,
  at: 1000,
  by: 'u7',
  data: { companyId: 'indus', ifVersion: null, ...data },
})

test('what is said is set, by whom, and what is so already stays without a fact', () => {
  const record = given(...twoCompanies)
  const wanted = {
    name: ' Indus Foods ',
    timeZone: 'Europe/Berlin',
    retentionDays: 30,
    managersAddDevices: true,
    bam: { firstName: ' Bilal ', lastName: '', email: 'bilal@frostline.example', phone: '1' },
  }
  const decision = record.when(changeCompany, change(wanted))
  expect(decision.facts).toEqual([
    {
      type: 'company.settings-changed',
      at: 1000,
      by: 'u7',
      companyId: 'indus',
      data: {
        companyId: 'indus',
        ...wanted,
        name: 'Indus Foods',
        bam: { ...wanted.bam, firstName: 'Bilal' },
      },
    },
  ])
  record.store(decision)
  expect(record.directory.companies.get('indus')).toMatchObject({ name: 'Indus Foods', retentionDays: 30 })
  expect(record.when(changeCompany, change(wanted)).facts).toEqual([])
  expect(record.when(changeCompany, change({ retentionDays: null })).facts).toMatchObject([
    { data: { companyId: 'indus', retentionDays: null } },
  ])
})

test.each([
  [{ name: ' ' }, 422],
  [{ name: 'KARAKORAM' }, 409],
  [{ timeZone: 'Mars/Olympus' }, 422],
  [{ retentionDays: 0 }, 422],
  [{ retentionDays: 1.5 }, 422],
  [{ ifVersion: 'older' }, 412],
  [{ companyId: 'nowhere' }, 404],
])('%j is refused with %i', (data, status) => {
  const { facts, refused } = given(...twoCompanies).when(changeCompany, change(data))
  expect(facts).toEqual([])
  expect(refused?.status).toBe(status)
  if (status === 409) expect(refused?.message).toBe(COMPANY_NAME_TAKEN)
})
