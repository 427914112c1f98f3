import { describe, expect, test } from 'vitest'
import { AS_COMPANY } from '../contracts/entities/evaluation.ts'
import { DEFAULT_BOUNDS } from '../contracts/entities/groups.ts'
import { type GroupField, type GroupForm, groupFaults } from './group-form.ts'

const right: GroupForm = {
  name: 'Lahore - Frozen 2',
  description: 'All that must stay frozen',
  parentId: 'indus',
  lowTemperatureThreshold: -26,
  highTemperatureThreshold: -13,
  lowHumidityThreshold: 40,
  highHumidityThreshold: 93,
}

describe('a group', () => {
  test('with everything in order has no fault, and neither has a part of one', () => {
    expect(groupFaults(right, DEFAULT_BOUNDS)).toEqual([])
    expect(groupFaults({}, DEFAULT_BOUNDS)).toEqual([])
    expect(groupFaults({ ...right, ...AS_COMPANY }, DEFAULT_BOUNDS)).toEqual([])
    expect(groupFaults({ ...right, clearMarginTemperature: 6.5 }, DEFAULT_BOUNDS)).toEqual([])
    const narrow = {
      lowTemperatureThreshold: 7.2,
      highTemperatureThreshold: 8.2,
      clearMarginTemperature: 0.5,
    }
    expect(groupFaults({ ...right, ...narrow }, DEFAULT_BOUNDS)).toEqual([])
    expect(groupFaults({ name: 'Lahore' }, DEFAULT_BOUNDS)).toEqual([])
  })

  test.each<[GroupField, string | number, string]>([
    ['name', ' ', 'This field is required'],
    ['name', 'Lahore & Multan', 'Name should be alphanumeric'],
    ['name', 'x'.repeat(31), 'Max 30 characters are allowed in name'],
    ['description', 'frozen!', 'Description should be alphanumeric'],
    ['description', 'x'.repeat(201), 'Max 200 characters are allowed in description'],
    ['parentId', '', 'Please select a parent group'],
    ['lowTemperatureThreshold', -31, 'Must be between −30 °C and 70 °C'],
    ['highTemperatureThreshold', 71, 'Must be between −30 °C and 70 °C'],
    ['highTemperatureThreshold', -27, 'Must not be below the low threshold'],
    ['lowHumidityThreshold', -41, 'Must be between −40 % and 100 %'],
    ['highHumidityThreshold', 39, 'Must not be below the low threshold'],
    ['violationDelaySeconds', -1, 'Must be between 0 and 1440 minutes'],
    ['violationDelaySeconds', 86_401, 'Must be between 0 and 1440 minutes'],
    ['violationDelaySeconds', Number.NaN, 'Must be between 0 and 1440 minutes'],
    ['clearMarginTemperature', 20.5, 'Must be between 0 °C and 20 °C'],
    ['clearMarginTemperature', 7, 'Must be at most half of what is between the thresholds'],
    ['clearMarginHumidity', 27, 'Must be at most half of what is between the thresholds'],
    ['lowTemperatureThreshold', Number.NaN, 'Must be between −30 °C and 70 °C'],
  ])('%s %j: %s', (path, value, message) => {
    expect(groupFaults({ ...right, [path]: value }, DEFAULT_BOUNDS)).toEqual([{ path, message }])
  })

  test('may have a name of 30 and a description of 200 characters', () => {
    const long = { name: 'x'.repeat(30), description: 'x'.repeat(200) }
    expect(groupFaults({ ...right, ...long }, DEFAULT_BOUNDS)).toEqual([])
  })

  test('that is new has zeros for thresholds, whatever the bounds of its company', () => {
    const zeros = { lowTemperatureThreshold: 0, highTemperatureThreshold: 0 }
    const bounds = { tmin: 2, tmax: 25, hmin: 0, hmax: 100 }
    expect(groupFaults({ ...right, ...zeros }, bounds)).toEqual([])
    expect(
      groupFaults({ ...right, lowTemperatureThreshold: 0, highTemperatureThreshold: 8 }, bounds),
    ).toEqual([{ path: 'lowTemperatureThreshold', message: 'Must be between 2 °C and 25 °C' }])
  })
})
