import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { columnsOf, type ImportRow, planImport, rowOf } from './plan-import.ts'
import { type Registrar, registerDevices } from './register-devices.ts'

const admin: Registrar = { userId: 'u0', companyId: 'indus', topId: 'indus', isSuperAdmin: true }
const manager: Registrar = { ...admin, userId: 'u2', topId: 'punjab', isSuperAdmin: false }

const row = (line: number, cells: Partial<ImportRow> = {}): ImportRow => ({
  line,
  IMEI: '490154203237518',
  Name: 'Reefer 9',
  Plate: 'LES-9',
  Type: 'vehicle',
  'Make and model': 'Hino 500',
  Group: '',
  'Calibration due': '',
  'Tracker clock': '',
  ...cells,
})
const plan = (rows: ImportRow[], who = admin, ...more: NewFact[]) =>
  planImport(rows, given(...twoCompanies, ...more).directory, who)
const faultsOf = (rows: ImportRow[], who = admin, ...more: NewFact[]) =>
  plan(rows, who, ...more).faults.map(({ line, reason }) => `${line}: ${reason}`)

test('a good line is a device to be registered', () => {
  expect(
    plan([row(2, { Group: 'Punjab / Lahore', 'Calibration due': '2027-03-31', 'Tracker clock': '+5' })]),
  ).toEqual({
    devices: [
      {
        imei: '490154203237518',
        name: 'Reefer 9',
        plateNumber: 'LES-9',
        type: 'vehicle',
        vehicleMakeAndModel: 'Hino 500',
        groupId: 'lahore',
        calibrationDue: '2027-03-31',
        clockOffset: 300,
      },
    ],
    known: 0,
    differing: 0,
    faults: [],
    warnings: [],
  })
})

test.each([
  ['', 'indus'],
  ['Indus', 'indus'],
  ['punjab', 'punjab'],
  ['Indus/ Punjab /LAHORE', 'lahore'],
  ['Punjab/Lahore', 'lahore'],
  ['Lahore', 'lahore'],
])('the group “%s” is found by its path in words', (Group, groupId) => {
  expect(plan([row(2, { Group })]).devices.map((device) => device.groupId)).toEqual([groupId])
})

test.each<[string, Partial<ImportRow>, string]>([
  ['no IMEI', { IMEI: '' }, 'The IMEI is missing'],
  ['an IMEI that is none', { IMEI: '12345' }, '“12345” is no IMEI: 15 digits are expected'],
  [
    'an IMEI that was rounded',
    { IMEI: '3.56307E+14' },
    'The spreadsheet has rounded this IMEI: make its column text and enter it again',
  ],
  ['no name', { Name: '' }, 'The name is missing'],
  ['another type', { Type: 'boat' }, '“boat” is no type: write vehicle or warehouse'],
  ['a group nobody has', { Group: 'Nowhere' }, 'There is no group “Nowhere”'],
  ['a group of another company', { Group: 'Karakoram' }, 'There is no group “Karakoram”'],
  [
    'a day that is none',
    { 'Calibration due': '2027-02-30' },
    '“2027-02-30” is no day: write it as 2027-03-31',
  ],
  [
    'a clock that is none',
    { 'Tracker clock': 'Asia/Karachi' },
    '“Asia/Karachi” is no clock: write it as UTC+05:00, or leave it empty',
  ],
])('%s is named with its line', (_, cells, reason) => {
  expect(faultsOf([row(17, cells)])).toEqual([`17: ${reason}`])
})

test('an IMEI that a file names twice is taken once', () => {
  const { devices, faults } = plan([row(2), row(3, { Name: 'Another' })])
  expect(devices.map(({ name }) => name)).toEqual(['Reefer 9'])
  expect(faults).toEqual([{ line: 3, imei: '490154203237518', reason: 'This IMEI is in line 2 already' }])
})

test('a device of another company is named to a super admin alone', () => {
  const taken = row(2, { IMEI: '350000000000004' })
  expect(faultsOf([taken])).toEqual([
    expect.stringMatching(/^2: This IMEI is registered already, in karakoram/),
  ])
  expect(faultsOf([taken], manager)).toEqual([
    '2: This IMEI cannot be registered here. Ask your administrator.',
  ])
})

test('an odd check digit is a warning, and the line is taken', () => {
  const { devices, warnings } = plan([row(2, { IMEI: '490154203237517' })])
  expect(devices).toHaveLength(1)
  expect(warnings.map(({ line }) => line)).toEqual([2])
})

test('a known device changes nothing, whatever its line says now', () => {
  const { devices, known, differing, faults } = plan([
    row(2, { IMEI: '350000000000001', Name: 'Something else' }),
  ])
  expect({ devices, known, differing, faults }).toEqual({ devices: [], known: 1, differing: 1, faults: [] })
})

test('a heading is found whatever its order and case, and what it lacks is named', () => {
  const columns = columnsOf(['name', 'Something', ' imei ', 'PLATE NUMBER'])
  expect(columns).toEqual({ Name: 0, IMEI: 2, Plate: 3 })
  expect(rowOf(['A', 'x', '49', 'P'], columns as object, 5)).toMatchObject({ line: 5, Name: 'A', IMEI: '49' })
  expect(rowOf(['', ' '], columns as object, 5)).toBeUndefined()
  expect(columnsOf(['Name'])).toMatch('no column IMEI')
})

const anyRow = fc.record({
  IMEI: fc.oneof(
    fc.integer({ min: 0, max: 30 }).map((n) => String(490_154_203_237_500 + n)),
    fc.constantFrom('350000000000001', '350000000000004', '', 'x'),
  ),
  Name: fc.constantFrom('A', 'B', ''),
  Type: fc.constantFrom('', 'Vehicle', 'warehouse', 'boat'),
  Group: fc.constantFrom('', 'Punjab', 'Lahore', 'Nowhere'),
})

test('each line is taken, known or named; and the same list again plans nothing more', () => {
  fc.assert(
    fc.property(fc.array(anyRow, { maxLength: 60 }), fc.constantFrom(admin, manager), (cells, who) => {
      const rows = cells.map((each, i) => row(i + 2, each))
      const before = given(...twoCompanies)
      const first = planImport(rows, before.directory, who)
      expect(first.devices.length + first.known + first.faults.length).toBe(rows.length)
      const decision = registerDevices(
        before.directory,
        {
          type: 'device.register',
          at: 9,
          by: who.userId,
          data: { devices: first.devices, source: 'tracker', skipKnown: true },
        },
        { ...who, isSuperAdmin: true },
      )
      expect(decision.facts).toHaveLength(first.devices.length)
      const again = planImport(rows, given(...twoCompanies, ...decision.facts).directory, who)
      expect(again.devices).toEqual([])
      expect(again.known).toBe(first.known + first.devices.length)
    }),
  )
})
