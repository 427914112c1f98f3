import { expect, test } from 'vitest'
import { groupOf } from '../../layout/testing/group-of.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { createGroups } from '../../read-model/groups.ts'
import { plainGroup } from '../../read-model/testing/make-fleet.ts'
import { changeOf, faultsOf, inFleet, newGroup, readGroup } from './group-fields.ts'

const north = groupOf('north', { name: 'North', parentId: 'top', things: ['1', '2'] })

const fleet = { seq: 1, groups: createGroups([plainGroup('top'), plainGroup('south', 'top')]) }

test('a parent that went meanwhile is to be chosen anew', () => {
  const fields = { ...newGroup().fields, name: 'North', parentId: 'gone' }
  expect(faultsOf(fields, north, fleet)).toEqual([
    { path: 'parentId', message: 'Please select a parent group' },
  ])
  expect(faultsOf({ ...fields, parentId: 'south' }, north, fleet)).toEqual([])
  expect(faultsOf(fields, north, { ...fleet, seq: undefined })).toEqual([])
})

test('a new group begins with thresholds of 0, which stand until somebody sets them', () => {
  const { fields } = newGroup()
  expect(fields).toMatchObject({
    lowTemperatureThreshold: 0,
    highTemperatureThreshold: 0,
    lowHumidityThreshold: 0,
    highHumidityThreshold: 0,
  })
  expect(faultsOf(fields, north, fleet)).toEqual([
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
  expect(faultsOf({ ...fields, lowTemperatureThreshold: Number.NaN }, north, fleet)).toEqual([
    { path: 'lowTemperatureThreshold', message: 'Must be between −30 °C and 70 °C' },
  ])
  expect(faultsOf({ ...fields, lowHumidityThreshold: 95 }, north, fleet)).toEqual([
    { path: 'highHumidityThreshold', message: 'Must not be below the low threshold' },
  ])
})

test('a device that is in the fleet no more is not sent, but where it was in the group', () => {
  const names = { rowOf: (imei: string) => (imei === '9' ? -1 : 0) } as Fleet['names']
  const things = ['1', '9']
  expect(inFleet(things, { seq: 4, names })).toEqual(['1'])
  expect(inFleet(things, { seq: 4, names }, ['9'])).toEqual(things)
  expect(inFleet(things, { seq: undefined, names }), 'no fleet yet').toEqual(things)
})
