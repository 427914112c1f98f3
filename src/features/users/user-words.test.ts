import { expect, test } from 'vitest'
import { userField } from './user-words.ts'

test('each switch of alerts has its words in the history', () => {
  expect(userField('sms.LOW_TEMPERATURE_DETECTED')).toBe('SMS: Low temperature')
  expect(userField('email.DAILY_HEAD')).toBe('Daily proof of the record by e-mail')
  expect(userField('email.OTHER')).toBe(undefined)
})
