import { expect, test } from 'vitest'
import type { NewLink } from '#machines/contracts/commands.ts'
import { ADMINISTRATION, administration, administratorsOf } from '#machines/projections/administrators.ts'
import { groupsWithin } from '#machines/projections/directory.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { EMAIL_TAKEN } from '../users/create-user.ts'
import { createAdministrator } from './administrators.ts'
import { LINK_NOT_MAILED, resendLink } from './email-links.ts'

const link = (linkId: string): NewLink => ({
  linkId,
  purpose: 'activation',
  tokenHash: `token-${linkId}`,
  codeHash: null,
  expiresAt: 5000,
  isPrinted: true,
})
const create = (email: string, linkId = 'l1') => ({
  type: 'administrator.create' as const,
  at: 1000,
  by: null,
  data: { userId: `u-${linkId}`, email, firstName: '', lastName: '', link: link(linkId) },
})

test('is made with a link, belongs to no company and sees nothing but an empty group', () => {
  const record = given(...twoCompanies)
  expect(administration(record.directory)).toBe('none')
  const decision = record.when(createAdministrator, create(' zara@customer.example '))
  expect(decision.facts.map(({ type, companyId }) => [type, companyId])).toEqual([
    ['group.created', ADMINISTRATION],
    ['user.created', ADMINISTRATION],
    ['link.issued', ADMINISTRATION],
  ])
  record.store(decision)
  const [zara] = administratorsOf(record.directory)
  expect(zara).toMatchObject({ email: 'zara@customer.example', userName: 'zara', firstName: 'Administrator' })
  expect(record.directory.companies.has(ADMINISTRATION)).toBe(false)
  expect(
    groupsWithin(record.directory, zara?.groupId ?? '').map(({ _id, devices }) => [_id, devices.size]),
  ).toEqual([[ADMINISTRATION, 0]])
  const next = record.when(createAdministrator, create('omar@customer.example', 'l2'))
  expect(next.facts.map(({ type }) => type)).toEqual(['user.created', 'link.issued'])
  expect(administration(record.directory)).toBe('no-password')
})

test('who has no password yet gets another link, and the one before works no more', () => {
  const record = given()
  record.store(record.when(createAdministrator, create('noor@customer.example')))
  const { facts } = record.when(createAdministrator, create('NOOR@customer.example', 'l2'))
  expect(facts.map(({ type, data }) => [type, (data as { linkId: string }).linkId])).toEqual([
    ['link.expired', 'l1'],
    ['link.issued', 'l2'],
  ])
})

test('an address that is taken is refused, an administrator with a password too', () => {
  const record = given(...twoCompanies)
  const { email } = [...record.directory.users.values()][0] as { email: string }
  expect(record.when(createAdministrator, create(email))).toMatchObject({
    facts: [],
    refused: { status: 409, message: EMAIL_TAKEN },
  })
  record.store(record.when(createAdministrator, create('noor@customer.example')))
  record.store({
    facts: [
      { type: 'user.password-set', at: 2000, companyId: ADMINISTRATION, data: { userId: 'u-l1', hash: 'h' } },
    ],
  })
  expect(administration(record.directory)).toBe('is-there')
  expect(record.when(createAdministrator, create('noor@customer.example', 'l2')).refused?.status).toBe(409)
})

test('what is no address is refused with its path', () => {
  expect(given().when(createAdministrator, create('noor')).refused).toMatchObject({
    status: 422,
    extra: { path: 'email' },
  })
})

test('a printed link that ran out is sent to nobody', () => {
  const record = given()
  record.store(record.when(createAdministrator, create('noor@customer.example')))
  const resend = {
    type: 'link.resend' as const,
    at: 9000,
    by: null,
    data: { userId: 'u-l1', linkId: 'l1', link: link('l2') },
  }
  expect(record.when(resendLink, resend)).toMatchObject({ facts: [], refused: { message: LINK_NOT_MAILED } })
})
