import { describe, expect, test } from 'vitest'
import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { headAddressVersion } from '#machines/projections/versions.ts'
import { INVALID_EMAIL } from '#machines/rules/schedule-form.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import type { Viewer } from '../views/views.ts'
import { FOR_MANAGERS, setHeadAddress } from './head-address.ts'

const OUTSIDE = 'auditor@elsewhere.example'
const origin = { at: 9, companyId: 'indus', by: 'u1' }
const MANAGER: Viewer = { userId: 'u1', companyId: 'indus', groupId: 'indus', superAdmin: false }
const set = (address: string | null): NewFact => ({
  ...origin,
  type: 'company.head-address-set',
  data: { companyId: 'indus', address },
})
const requested: NewFact = { ...origin, type: 'schedule-mail.asked', data: { to: OUTSIDE } }
const password: NewFact = { ...origin, type: 'user.password-set', data: { userId: 'u1', hash: '$argon2id$' } }

const when = (
  address: string,
  { viewer = MANAGER, past = given(...twoCompanies, password), ifVersion = null as string | null } = {},
  companyId = 'indus',
) =>
  past.when((directory, command) => setHeadAddress(directory, command, viewer), {
    ...{ type: 'company.set-head-address' as const, at: 9, by: 'u1' },
    data: { companyId, address, ifVersion },
  })

describe('who outside keeps the daily heads', () => {
  test('is chosen, and asked first where they are not of the company', () => {
    expect(when(` ${OUTSIDE} `)).toEqual({ facts: [set(OUTSIDE), requested] })
    expect(when('qa@indus.example')).toEqual({ facts: [set('qa@indus.example')] })
  })

  test('is nobody again; as it was makes no fact', () => {
    expect(when('')).toEqual({ facts: [] })
    const past = given(...twoCompanies, password, set(OUTSIDE))
    expect(when(OUTSIDE, { past })).toEqual({ facts: [] })
    expect(when(' ', { past })).toEqual({ facts: [set(null)] })
  })

  test('is asked once a day however often it is chosen anew', () => {
    const past = given(...twoCompanies, password)
    past.store(when(OUTSIDE, { past }))
    past.store(when('', { past }))
    expect(when(OUTSIDE, { past }).facts).toEqual([set(OUTSIDE)])
  })

  test('has to be an address', () => {
    expect(when('auditor').refused).toMatchObject({ status: 422, message: INVALID_EMAIL })
  })

  test('is chosen by managers of the top group alone, of their own company', () => {
    const refused = { facts: [], refused: { status: 403, message: FOR_MANAGERS } }
    expect(when(OUTSIDE, { viewer: { ...MANAGER, userId: 'u2', groupId: 'punjab' } })).toEqual(refused)
    const facts = JSON.parse(JSON.stringify(twoCompanies).replaceAll('"Manager"', '"User"')) as NewFact[]
    expect(when(OUTSIDE, { past: given(...facts) })).toEqual(refused)
    expect(when(OUTSIDE, {}, 'karakoram').refused).toMatchObject({ status: 404 })
  })

  test('is refused where somebody else has changed it since', () => {
    const past = given(...twoCompanies, password)
    const ifVersion = headAddressVersion(past.directory, 'indus')
    past.store(when(OUTSIDE, { past, ifVersion }))
    expect(when('qa@indus.example', { past, ifVersion }).refused).toMatchObject({
      status: 412,
      message: CHANGED_MEANWHILE,
    })
  })
})
