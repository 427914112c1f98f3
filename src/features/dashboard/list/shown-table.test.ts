import { expect, test } from 'vitest'
import { incident, lostDevice, threeDevices } from '../../../layout/incidents/testing.ts'
import { shownTable } from './shown-table.ts'

test('a file of the list says who has what is open, that nobody has it, and nothing of what is in order', () => {
  const holder = { userId: 'u2', userName: 'Ayesha Malik', since: '2026-06-15T04:10:00.000Z' }
  const open = [incident(1, { holder }), lostDevice(2)].map((one) => ({ incident: one, shelving: undefined }))
  const incidentOf = (imei: string) => open.find((one) => one.incident.imei === imei)
  const { columns, rows } = shownTable(threeDevices(), Uint32Array.of(0, 1, 2), ['holder'], incidentOf)
  expect(columns.map(({ title }) => title)).toEqual(['Name', 'Who has it'])
  expect(rows).toEqual([
    ['Reefer 1', 'Ayesha Malik'],
    ['Reefer 2', 'Nobody'],
    ['Reefer 3', null],
  ])
})
