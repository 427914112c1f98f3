import { expect, test } from 'vitest'
import { given } from '../testing/given.ts'
import { COMPANY_NAME_TAKEN } from './company-words.ts'
import { createCompany } from './create-company.ts'

const create = (name: string, timeZone = 'Asia/Karachi') => ({
  type: 'company.create' as const,
  at: 1000,
  by: null,
  data: { companyId: 'c1', groupId: 'g1', name, timeZone, deviceKeyHash: 'hash' },
})

test('a company comes with its top group, in which managers and devices are put', () => {
  const record = given()
  const decision = record.when(createCompany, create(' Ravi Foods '))
  expect(decision.facts).toMatchObject([
    {
      type: 'company.registered',
      data: { name: 'Ravi Foods', timeZone: 'Asia/Karachi', deviceKeyHash: 'hash' },
    },
    { type: 'group.created', data: { groupId: 'g1', companyId: 'c1', parentId: null, name: 'Ravi Foods' } },
  ])
  record.store(decision)
  expect(record.when(createCompany, create('ravi foods')).refused).toMatchObject({
    status: 409,
    message: COMPANY_NAME_TAKEN,
  })
})

test.each([
  ['', 'UTC', 'name'],
  ['x'.repeat(201), 'UTC', 'name'],
  ['Ravi Foods', 'Mars/Olympus', 'timeZone'],
])('%s in %s is refused with its path', (name, timeZone, path) => {
  expect(given().when(createCompany, create(name, timeZone))).toMatchObject({
    facts: [],
    refused: { status: 422, extra: { path } },
  })
})
