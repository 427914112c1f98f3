import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clampedSpeed, extraFieldsOf, type ScheduleForm, SPEED, scheduleFaults } from './schedule-form.ts'

const right: ScheduleForm = {
  groups: ['g1'],
  vehicles: ['350000000000001'],
  interval: 'Daily',
  emails: ['ops@indus.example'],
  reportTypes: ['POWER_REPORT'],
}
const faults = (changes: Partial<ScheduleForm>) => scheduleFaults({ ...right, ...changes })

test('one that has it all is right', () => expect(faults({})).toEqual([]))

test('an empty one is told all it lacks, in the words of the documents', () => {
  expect(scheduleFaults({ groups: [], vehicles: [], interval: '', emails: [], reportTypes: [] })).toEqual([
    { path: 'groups', message: 'Please select at least one group.' },
    { path: 'vehicles', message: 'Please select at least one vehicle.' },
    { path: 'emails', message: 'Please enter at least one email.' },
    { path: 'interval', message: 'Please select interval.' },
    { path: 'reportTypes', message: 'Please select at least one report type.' },
  ])
})

test.each<[Partial<ScheduleForm>, string, string]>([
  [{ emails: ['ops@indus.example', 'ops'] }, 'emails', 'Invalid email address'],
  [{ interval: 'Hourly' }, 'interval', 'Please select interval.'],
  [{ speed: 201 }, 'speed', 'Enter a whole speed of 1 to 200 km/h'],
  [{ speed: 79.5 }, 'speed', 'Enter a whole speed of 1 to 200 km/h'],
  [{ vehicleTravelDistance: -1 }, 'vehicleTravelDistance', 'Enter a distance of 0 km or more'],
  [{ vehicleTravelDistance: Number.NaN }, 'vehicleTravelDistance', 'Enter a distance of 0 km or more'],
  [{ reportTypes: ['OilChangeReport'] }, 'reportTypes', 'OilChangeReport cannot be scheduled'],
])('%j is told at %s', (changes, path, message) => expect(faults(changes)).toEqual([{ path, message }]))

test.each<[string, string[]]>([
  ['GeoFenceTrackReport', ['sourceGeofenceId', 'destinationGeofenceId']],
  ['PerformanceReport', ['performanceGeoFence', 'performanceRouteFence']],
  ['OverSpeedingVehiclesReport', ['speed']],
  ['vehicleTravelReport', ['startTime', 'endTime', 'vehicleTravelDistance']],
  ['vehicleTravelReportGraph', ['startTime', 'endTime', 'vehicleTravelDistance']],
  ['POWER_REPORT', []],
])('%s asks for %j', (type, fields) => {
  expect([...extraFieldsOf([type])]).toEqual(fields)
  const missing = faults({ reportTypes: [type] }).map(({ path }) => path)
  const hasStandard = ['speed', 'vehicleTravelDistance']
  expect(missing.filter((path) => path !== 'reportTypes')).toEqual(
    fields.filter((field) => !hasStandard.includes(field)),
  )
})

test('a clamped speed is always one that may be asked for', () => {
  fc.assert(
    fc.property(fc.double(), (typed) => {
      const speed = clampedSpeed(typed)
      expect(faults({ speed })).toEqual([])
      if (typed >= SPEED.min && typed <= SPEED.max) expect(Math.abs(speed - typed)).toBeLessThanOrEqual(0.5)
    }),
  )
})
