import { expect, test } from 'vitest'
import { groupField, groupValue, withoutGroupValue } from './group-words.ts'

test.each([
  ['highTemperatureThreshold', 8, 'High temperature', '8 °C'],
  ['lowHumidityThreshold', 40, 'Low humidity', '40 %'],
  ['name', 'North', 'Name', 'North'],
  ['fatigue.enabled', true, 'Fatigue warning', 'on'],
  ['image', 'qx3', 'Picture', 'a picture'],
  ['constructor', 1, undefined, '1'],
])('%s', (field, value, label, text) => {
  expect([groupField(field), groupValue(field, value)]).toEqual([label, text])
})

test.each([
  ['violationDelaySeconds', 'as the company has it'],
  ['clearMarginTemperature', 'as the company has it'],
  ['description', undefined],
  ['constructor', undefined],
])('%s that a group has no value of', (field, text) => {
  expect(withoutGroupValue(field)).toBe(text)
})
