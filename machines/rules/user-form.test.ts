import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeJson } from '../contracts/decode.ts'
import { ScenarioFile } from '../contracts/scenario.ts'
import {
  type NewUserForm,
  newUserFaults,
  normalPhone,
  PHONE_MAX,
  userFaults,
  userNameFrom,
} from './user-form.ts'

const right: NewUserForm = {
  firstName: 'Hina',
  lastName: 'Malik',
  userName: 'hinamalik',
  email: 'hina@indus.example',
  phone: '03005550127',
  type: 'Manager',
  role: 'user',
  groupId: 'indus-lahore',
}
const faultsOf = (field: keyof NewUserForm, value: string) => newUserFaults({ ...right, [field]: value })

test('the accounts of every scenario pass the form that changes them', () => {
  const folder = new URL('../../fixtures/scenarios/', import.meta.url)
  const users = readdirSync(folder).flatMap(
    (file) => decodeJson(readFileSync(new URL(file, folder), 'utf8'), ScenarioFile, file).users,
  )
  const wrong = users.filter((user) => user.phone.length > PHONE_MAX || userFaults(user).length > 0)
  expect(wrong.map(({ email, phone, firstName }) => [email, phone, firstName])).toEqual([])
})

describe('a new user', () => {
  test('with everything in order has no fault', () => {
    expect(newUserFaults(right)).toEqual([])
    expect(newUserFaults({ ...right, firstName: '  Bibi-Hina 2 ', email: ' h@i.example ' })).toEqual([])
  })

  test.each<[keyof NewUserForm, string, string]>([
    ['firstName', ' ', 'This field is required'],
    ['firstName', 'Hina!', 'Firstname should be alphanumeric'],
    ['firstName', 'x'.repeat(21), 'Max 20 characters are allowed in firstname'],
    ['lastName', '', 'This field is required'],
    ['lastName', 'Mal_ik', 'Lastname should be alphanumeric'],
    ['lastName', 'x'.repeat(21), 'Max 20 characters are allowed in lastname'],
    ['userName', '', 'This field is required'],
    ['userName', 'hina malik', 'Spaces not allowed in user name'],
    ['userName', 'hina.malik', 'Username should be alphanumeric'],
    ['userName', 'x'.repeat(31), 'Max 30 characters are allowed in user name'],
    ['email', '', 'This field is required'],
    ['email', 'hina@indus', 'Invalid email!'],
    ['phone', '', 'This field is required'],
    ['phone', '030055501270', 'Max 11 characters are allowed in phone'],
    ['phone', '+92 300 55501270', 'Invalid phone number'],
    ['phone', 'call me', 'Invalid phone number'],
    ['type', '', 'User type is required'],
    ['role', '', 'User role is required'],
    ['groupId', '', 'Please select a group'],
  ])('%s %j: %s', (field, value, message) => {
    expect(faultsOf(field, value)).toEqual([{ path: field, message }])
  })

  test('is told every field that is wrong, each once', () => {
    const blank = Object.fromEntries(Object.keys(right).map((field) => [field, ''])) as NewUserForm
    expect(newUserFaults(blank).map(({ path }) => path)).toEqual(Object.keys(right))
  })
})

test('of a changed user neither e-mail address nor user name is looked at', () => {
  expect(userFaults({ ...right, firstName: '' })).toEqual([
    { path: 'firstName', message: 'This field is required' },
  ])
})

describe('a phone number', () => {
  test.each([
    ['+923005550127', '03005550127'],
    ['923005550127', '03005550127'],
    ['+92 300 555-0127', '03005550127'],
    ['03005550127', '03005550127'],
  ])('%s is kept as %s', (typed, kept) => expect(normalPhone(typed)).toBe(kept))

  test('that is in order is kept as what is in order', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(\+92|92|0)?[0-9 -]{0,12}$/), (phone) => {
        fc.pre(faultsOf('phone', phone).length === 0)
        expect(normalPhone(phone)).toMatch(/^\d{1,11}$/)
      }),
    )
  })
})

test('a user name made of an e-mail address is one the form takes, and nobody else has it', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), fc.uniqueArray(fc.string()), fc.nat(20), (local, others, n) => {
      const first = userNameFrom(`${local}@indus.example`, () => false)
      const taken = new Set([...others, first, ...Array.from({ length: n }, (_, i) => `${first}${i + 2}`)])
      const userName = userNameFrom(`${local}@indus.example`, (name) => taken.has(name))
      expect(taken.has(userName)).toBe(false)
      expect(faultsOf('userName', userName)).toEqual([])
    }),
  )
})
