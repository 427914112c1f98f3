import { expect, test } from 'vitest'
import { isGuessable } from './guessable-password.ts'

test.each([
  'Passw0rd!',
  'P@ssw0rd1',
  'Password@123',
  'Admin@123',
  'Qwerty#12',
  'Welcome@2026',
  'Abcd@1234',
  'Aa@12345',
  '123!Summer',
  'Frostl1ne!',
])('%s is what everybody tries', (password) => expect(isGuessable(password)).toBe(true))

test('names of the person and of their company may not be within', () => {
  const names = ['Ayesha', 'Malik Khan', 'ayesha', 'Indus Cold Chain', 'Li']
  for (const password of ['Ayesha#24', 'xx@y3Sha9A', 'My1ndus#7', 'Khan#2026a', 'Ch@in2026'])
    expect(isGuessable(password, names)).toBe(true)
  for (const password of ['Fr0st#line24', 'Lime&Stone7']) expect(isGuessable(password, names)).toBe(false)
})
