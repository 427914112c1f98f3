import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { FactType } from '#machines/contracts/facts.ts'
import { userByLogin } from '#machines/projections/directory.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { openSqliteStore } from '../../store/sqlite/open.ts'
import { openRecord } from '../testing/shared-record.ts'
import { type DeviceRegistration, type Registration, register } from './register.ts'

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}

const company = (id: string, suspended = false): Registration['companies'][number] => ({
  id,
  name: id,
  bam: null,
  partner: null,
  deviceKey: 'indus-device-key',
  suspended,
  patienceSeconds: 300,
  violationDelaySeconds: 60,
  clearMarginTemperature: 0.5,
  clearMarginHumidity: 2,
  tmin: -30,
  tmax: 70,
  hmin: -40,
  hmax: 100,
  groups: [
    { id: `${id}-top`, name: 'Top', description: '', parentId: null, ...limits },
    { id: `${id}-child`, name: 'Child', description: '', parentId: `${id}-top`, ...limits },
  ],
})

const user = (id: string, companyId: string, requireReset = false): Registration['users'][number] => ({
  id,
  companyId,
  groupId: `${companyId}-child`,
  email: `${id}@${companyId}.example`,
  userName: id,
  firstName: id,
  lastName: '',
  phone: '',
  type: 'Manager',
  role: 'operator',
  requireReset,
  superAdmin: false,
  note: 'sees all',
})

const devices = (count: number): DeviceRegistration[] =>
  Array.from({ length: count }, (_, i) => ({
    imei: String(350000000000000 + i),
    companyId: 'indus',
    groupId: 'indus-child',
    name: `Reefer ${i}`,
    plateNumber: `LES-${i}`,
    vehicleMakeAndModel: 'Hino',
    type: 'vehicle',
    source: 'world',
    // what a device world may know beside
    ordinal: i,
  }))

const wanted: Registration = {
  companies: [company('indus'), company('thar', true)],
  users: [user('ayesha', 'indus'), user('rabia', 'indus', true), user('tahir', 'thar')],
  password: 'Fr0st#line24',
  timeZone: 'Asia/Karachi',
  devices: devices(25),
}

let hashed: number
let server: ReturnType<typeof open>
function open() {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => 5000 } })
  const readModels = startProjecting(store)
  const hashPassword = async (password: string) => {
    hashed++
    return `hash of ${password}`
  }
  return { store, log: store.log, readModels, hashPassword }
}
beforeEach(() => {
  hashed = 0
  server = open()
})
afterEach(() => server.store.close())

describe('registering a scenario', () => {
  test('makes its companies, groups, users and devices known, and hashes the one password once', async () => {
    await register(server, wanted, 5000)
    const { directory } = server.readModels
    expect(hashed).toBe(1)
    expect(directory.companies.get('indus')).toMatchObject({ suspended: false, timeZone: 'Asia/Karachi' })
    expect(directory.companies.get('thar')?.suspended).toBe(true)
    expect(directory.groups.get('indus-top')?.child).toEqual(['indus-child'])
    expect(userByLogin(directory, 'AYESHA')).toMatchObject({
      passwordHash: 'hash of Fr0st#line24',
      resetRequired: false,
    })
    expect(userByLogin(directory, 'rabia')?.resetRequired).toBe(true)
    expect(directory.devices.map(({ no }) => no)).toEqual(Array.from({ length: 25 }, (_, i) => i))
    expect(directory.groups.get('indus-child')?.devices.size).toBe(25)
  })

  test('keeps the device key as a hash alone', async () => {
    await register(server, wanted, 5000)
    expect(JSON.stringify(server.log.readFacts(0))).not.toContain('indus-device-key')
    expect(server.readModels.directory.companies.get('indus')?.deviceKeyHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('twice is once', async () => {
    await register(server, wanted, 5000)
    const head = server.log.head()
    await register(server, wanted, 6000)
    expect(server.log.head()).toBe(head)
    expect(hashed).toBe(1)
  })

  test('of a larger fleet adds what is new after the last number', async () => {
    await register(server, wanted, 5000)
    await register(server, { ...wanted, devices: devices(30).reverse() }, 6000)
    const { directory } = server.readModels
    expect(directory.devices).toHaveLength(30)
    expect(directory.devices.slice(25).map(({ imei }) => imei.slice(-2))).toEqual([
      '29',
      '28',
      '27',
      '26',
      '25',
    ])
  })

  test('does not bring back who was deleted', async () => {
    await register(server, wanted, 5000)
    await server.log.append('user-ayesha', [
      { type: 'user.deleted', at: 6000, companyId: 'indus', data: { userId: 'ayesha' } },
    ])
    await register(server, wanted, 7000)
    expect(userByLogin(server.readModels.directory, 'ayesha')).toBeUndefined()
  })

  test('by several nodes at once registers all of it once, with a number for each device', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ fleet: fc.integer({ min: 0, max: 30 }), after: fc.nat(8) }), {
          minLength: 2,
          maxLength: 4,
        }),
        async (starts) => {
          const { node, record } = openRecord()
          const nodes = starts.map(() => node())
          await Promise.all(
            starts.map(async ({ fleet, after }, i) => {
              for (let turn = 0; turn < after; turn++) await setImmediate()
              const { log, readModels } = nodes[i] as (typeof nodes)[number]
              const hashPassword = async () => `hash of node ${i}`
              await register({ log, readModels, hashPassword }, { ...wanted, devices: devices(fleet) }, 5000)
              expect([...readModels.directory.companies.keys()].toSorted()).toEqual(['indus', 'thar'])
              expect(readModels.directory.devices.length).toBeGreaterThanOrEqual(fleet)
            }),
          )
          const facts = record.map(({ fact }) => fact)
          const ofType = (type: FactType) => facts.filter((fact) => fact.type === type)
          expect(ofType('company.registered')).toHaveLength(2)
          expect(ofType('user.created')).toHaveLength(3)
          const numbers = ofType('device.registered').map(({ data }) => 'no' in data && data.no)
          expect(numbers).toEqual(numbers.map((_, i) => i))
          expect(numbers).toHaveLength(Math.max(...starts.map(({ fleet }) => fleet)))
        },
      ),
      { numRuns: 100 },
    ))
})
