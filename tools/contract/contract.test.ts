import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Requirement } from '#machines/contracts/requirements.ts'
import { contractPage, requirements } from './contract-table.ts'
import { requirementFaults } from './requirement-faults.ts'

const all = requirements()
const LOGIN = 'machines/contracts/calls/auth-calls.ts#login'
const SOCKET = "src/effects/notifications-socket.ts#'seeNotifications'"

test('what the documents ask for stands where the list says, and is shown by the tests it names', async () => {
  const faults = await Promise.all(all.map(requirementFaults))
  expect(faults.flat()).toEqual([])
})

test('no requirement is listed twice', () => {
  const seen = all.map(({ document, section, kind, what, where }) =>
    [document, section, kind, what, where].join(' '),
  )
  expect(seen.filter((one, i) => seen.indexOf(one) !== i)).toEqual([])
})

test('the page of it is that of the list (else: npx node tools/contract/run.ts)', () => {
  const page = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')
  expect(page).toBe(contractPage(all))
})

const right = {
  kind: 'text',
  document: 1,
  section: '5 Password set',
  what: 'Invalid Password',
  where: 'machines/rules/password.ts',
  shown: 'machines/rules/password.test.ts#a password',
} as const satisfies Requirement

test.each<[string, Partial<Requirement>]>([
  ['a text that is written otherwise', { what: 'Invalid password' }],
  ['a text that stands in a comment alone', { what: 'Whether a password may be set.' }],
  ['a place that is not there', { where: 'machines/rules/pass-word.ts' }],
  ['a place that is of tests', { where: 'machines/rules/password.test.ts' }],
  ['a test that is not there', { shown: 'machines/rules/pass-word.test.ts#a password' }],
  ['a title no test has', { shown: 'machines/rules/password.test.ts#a passphrase' }],
  ['a decision nobody took', { decision: '9999' }],
  ['a route that is not there', { kind: 'route', what: '/logon', where: 'src/layout/app.tsx' }],
  ['a route without its parameter', { kind: 'route', what: '/confirm-code', where: 'src/layout/app.tsx' }],
  ['a call by another method', { kind: 'call', what: 'PUT /auth/login', where: LOGIN }],
  ['a call to another path', { kind: 'call', what: 'POST /auth/logon', where: LOGIN }],
  ['a call nobody knows', { kind: 'call', what: 'POST /auth/login', where: `${LOGIN}s` }],
  ['a field that is not sent', { kind: 'call', what: 'POST /auth/login', where: LOGIN, sends: ['pin'] }],
  [
    'a field that is not answered',
    { kind: 'call', what: 'POST /auth/login', where: LOGIN, answers: ['user.shoeSize'] },
  ],
  ['a query that is not taken', { kind: 'call', what: 'POST /auth/login?data', where: LOGIN }],
  ['an event nobody knows', { kind: 'event', what: 'shout', where: SOCKET }],
  ['an event without its field', { kind: 'event', what: 'logout {token}', where: SOCKET }],
  [
    'a field an entity lacks',
    { kind: 'entity', where: 'machines/contracts/entities/groups.ts#Group', fields: ['hue'] },
  ],
  ['another number', { kind: 'limit', where: 'machines/rules/password.ts#PASSWORD_LENGTH.most', value: 17 }],
  ['a symbol that is not there', { kind: 'limit', where: 'machines/rules/password.ts#LENGTH', value: 16 }],
  ['a line that is not there', { kind: 'rule', where: 'machines/rules/password.ts#passwordFalls' }],
])('%s is found', async (_, wrong) => {
  expect(await requirementFaults(right)).toEqual([])
  expect(await requirementFaults({ ...right, ...wrong })).toHaveLength(1)
})
