import { expect, test } from 'vitest'
import { createGroups } from '../read-model/groups.ts'
import { readNames } from '../read-model/names.ts'
import { createSearchIndex } from '../read-model/search-index.ts'
import { findDestinations } from './destinations.ts'

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 90,
}
const names = readNames({ text: new Uint8Array(), textOffsets: new Uint32Array(1) })
names.append({ imei: '350000000000001', name: 'LHR-CHL-001', plate: 'LEA-4817' })
names.append({ imei: '350000000000002', name: 'Lahore Chill Store 01', plate: '' })
const fleet = {
  names,
  groups: createGroups([
    { _id: 'g1', name: 'Indus Cold Chain', parentId: null, ...limits },
    { _id: 'g2', name: 'Lahore', parentId: 'g1', ...limits },
  ]),
}
const find = (query: string) =>
  findDestinations(query, fleet, createSearchIndex(names)).map(({ title }) => title)

test('nothing typed lists the pages', () => {
  expect(find(' ')).toContain('Dashboard')
  expect(find('')).not.toContain('Lahore')
})

test('what begins with it comes before what only holds it', () => {
  expect(find('la')).toEqual(['Lahore', 'Lahore Chill Store 01', 'Violations', 'Health of alarms'])
})

test('a device is found by its plate number and by its imei', () => {
  expect(find('lea-48')).toEqual(['LHR-CHL-001'])
  expect(find('0000000002')).toEqual(['Lahore Chill Store 01'])
})

test('nothing fits', () => expect(find('zzz')).toEqual([]))

test('where the world is simulated, the way to its director is there', () => {
  const titles = (isSimulated: boolean) =>
    findDestinations('direct', fleet, createSearchIndex(names), { isSimulated }).map(({ title }) => title)
  expect([titles(true), titles(false)]).toEqual([['Director’s panel'], []])
})

test('companies and keys are offered to those alone whom they are there for', () => {
  const titles = (offered: Parameters<typeof findDestinations>[3]) =>
    ['compan', 'key'].map((query) =>
      findDestinations(query, fleet, createSearchIndex(names), offered).map(({ title }) => title),
    )
  expect(titles({})).toEqual([[], []])
  expect(titles({ entersCompanies: true })).toEqual([['Companies', 'Add Company'], []])
  expect(titles({ keepsKeys: true })).toEqual([[], ['Keys for other systems']])
})

test('a saved view is found by its name and leads to its page', () => {
  const views = [{ name: 'Warm reefers', path: '/?status=online' }]
  expect(findDestinations('reef', fleet, createSearchIndex(names), { views })).toEqual([
    { kind: 'page', path: '/?status=online', title: 'Warm reefers', detail: 'Saved view' },
  ])
})
