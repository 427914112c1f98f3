import { expect, test } from 'vitest'
import { NotificationSettings } from '#machines/contracts/entities/users.ts'
import { AlertSwitches, ViolationSwitches } from '#machines/contracts/entities/violation-types.ts'
import { ALERT_WORDS, SETTING_GROUPS, VIOLATION_WORDS } from './setting-words.ts'

test('every setting of a user stands in one group, with words of its own', () => {
  const settings = SETTING_GROUPS.flatMap((group) => group.settings)
  expect(settings.map(({ id }) => id).toSorted()).toEqual(Object.keys(NotificationSettings.schema).toSorted())
  expect(new Set(settings.map(({ label }) => label)).size).toBe(settings.length)
})

test.each([
  ['violation', VIOLATION_WORDS, ViolationSwitches],
  ['alert', ALERT_WORDS, AlertSwitches],
])('every kind of %s has its words', (_, words, { schema }) =>
  expect(words.map(({ id }) => id).toSorted()).toEqual(Object.keys(schema).toSorted()),
)
