import { expect, test } from 'vitest'
import { groupOf } from '../../layout/testing/group-of.ts'
import { changeOf, faultsOf, newGroup, readGroup } from './group-fields.ts'

const north = groupOf('north', { name: 'North', parentId: 'top', things: ['1', '2'] })

test('a new group begins with thresholds of 0, which stand until somebody sets them', () => {
  const { fields } = newGroup()
  expect(fields).toMatchObject({
    lowTemperatureThreshold: 0,
    highTemperatureThreshold: 0,
    lowHumidityThreshold: 0,
    highHumidityThreshold: 0,
  })
  expect(faultsOf(fields, north)).toEqual([
    { path: 'name', message: 'This field is required' },
    { path: 'parentId', message: 'Please select a parent group' },
  ])
})

test('says of a change only what changed of devices and place, without blanks around the texts', () => {
  const { fields } = readGroup(north)
  const same = changeOf({ ...fields, name: ' Far north ', things: ['2', '1'] }, north)
  expect(same.name).toBe('Far north')
  expect('things' in same || 'parentId' in same).toBe(false)
  expect(changeOf({ ...fields, things: ['2'], parentId: 'south' }, north)).toMatchObject({
    things: ['2'],
    parentId: 'south',
  })
})

test('what is no number is wrong, and so is low above high', () => {
  const { fields } = readGroup(north)
  expect(faultsOf({ ...fields, lowTemperatureThreshold: Number.NaN }, north)).toEqual([
    { path: 'lowTemperatureThreshold', message: 'Must be between −30 °C and 70 °C' },
  ])
  expect(faultsOf({ ...fields, lowHumidityThreshold: 95 }, north)).toEqual([
    { path: 'highHumidityThreshold', message: 'Must not be below the low threshold' },
  ])
})
