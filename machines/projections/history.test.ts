import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fact, NewFact } from '../contracts/facts.ts'
import { emptyDirectory, evolve } from './directory.ts'
import { CHANGES_KEPT, ENTRIES_KEPT, emptyHistory, evolveHistory } from './history.ts'

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
}
const group = (groupId: string, parentId: string | null): NewFact => ({
  type: 'group.created',
  at: 0,
  companyId: 'c',
  data: { groupId, companyId: 'c', parentId, name: groupId, description: '', ...limits },
})
const device = (deviceNo: number): NewFact => ({
  type: 'device.registered',
  at: 0,
  companyId: 'c',
  data: {
    no: deviceNo,
    imei: imeiOf(deviceNo),
    companyId: 'c',
    groupId: 'a',
    name: `Reefer ${deviceNo}`,
    plateNumber: '',
    vehicleMakeAndModel: '',
    type: 'vehicle',
    source: 'world',
  },
})
const imeiOf = (deviceNo: number) => String(350_000_000_000_000 + deviceNo)
const moved = (deviceNo: number, groupId: string, at = 5, by = 'u1'): NewFact => ({
  type: 'device.updated',
  at,
  companyId: 'c',
  by,
  data: { imei: imeiOf(deviceNo), groupId },
})
const renamed = (groupId: string, name: string, at = 5, by = 'u1'): NewFact => ({
  type: 'group.updated',
  at,
  companyId: 'c',
  by,
  data: { groupId, name },
})

/** Facts stored at once each; between them something else is stored. */
function folded(...commands: NewFact[][]) {
  const [directory, history] = [emptyDirectory(), emptyHistory()]
  let seq = 0
  for (const facts of [[group('top', null), group('a', 'top'), group('b', 'top')], ...commands]) {
    seq++
    for (const fact of facts) {
      seq++
      const stored = { ...fact, seq, id: `f${seq}`, v: 1, recordedAt: seq } as Fact
      evolveHistory(history, directory, stored)
      evolve(directory, stored)
    }
  }
  const entriesOf = (id: string) => history.groups.get(id) ?? []
  return { history, directory, entriesOf }
}
const devices = (count: number) => Array.from({ length: count }, (_, deviceNo) => device(deviceNo))

describe('the history', () => {
  test('takes what was done at once for one thing, to each it was done to', () => {
    const { entriesOf, history } = folded(devices(2), [renamed('a', 'A'), moved(0, 'b'), moved(1, 'b')])
    expect(entriesOf('a').at(-1)?.changes).toEqual([
      { field: 'name', before: 'a', after: 'A' },
      { field: 'things', before: 'Reefer 0', after: null },
      { field: 'things', before: 'Reefer 1', after: null },
    ])
    expect(entriesOf('b')).toHaveLength(2)
    expect(history.devices.get(imeiOf(0))).toMatchObject([
      {
        changes: [
          { field: 'group', before: { groupId: 'a', name: 'A' }, after: { groupId: 'b', name: 'b' } },
        ],
      },
    ])
  })

  test('says how the limits of a group are evaluated, together with what was changed beside it', () => {
    const set: NewFact = {
      ...renamed('a', ''),
      type: 'group.evaluation-set',
      data: {
        groupId: 'a',
        violationDelaySeconds: 300,
        clearMarginTemperature: 1,
        clearMarginHumidity: null,
      },
    } as NewFact
    const { entriesOf, directory } = folded([renamed('a', 'A'), set])
    expect(entriesOf('a').at(-1)?.changes).toEqual([
      { field: 'name', before: 'a', after: 'A' },
      { field: 'violationDelaySeconds', before: null, after: 300 },
      { field: 'clearMarginTemperature', before: null, after: 1 },
    ])
    expect(directory.groups.get('a')?.evaluation).toMatchObject({ violationDelaySeconds: 300 })
  })

  test('keeps apart what another did, what was done later, and what was done twice', () => {
    const { entriesOf } = folded(
      [renamed('a', '1')],
      [renamed('a', '2')],
      [renamed('a', '3', 6), renamed('a', '4', 6, 'u2'), renamed('a', '5', 6, 'u2')],
    )
    expect(entriesOf('a').map(({ by, at, changes }) => [by, at, changes[0]?.after])).toEqual([
      [null, 0, 'a'],
      ['u1', 5, '1'],
      ['u1', 5, '2'],
      ['u1', 6, '3'],
      ['u2', 6, '4'],
      ['u2', 6, '5'],
    ])
  })

  test('says of very many how many there were', () => {
    const count = CHANGES_KEPT + 30
    const { entriesOf } = folded(
      devices(count),
      Array.from({ length: count }, (_, deviceNo) => moved(deviceNo, 'b')),
    )
    const newest = entriesOf('b').at(-1)
    expect([newest?.changes.length, newest?.more]).toEqual([CHANGES_KEPT, 30])
  })

  test('forgets the oldest, and what is deleted', () => {
    const { entriesOf, history } = folded(
      ...Array.from({ length: ENTRIES_KEPT + 5 }, (_, i) => [renamed('a', `n${i}`, i)]),
      [{ type: 'group.deleted', at: 9, companyId: 'c', by: 'u1', data: { groupId: 'b' } }],
    )
    expect(entriesOf('a')).toHaveLength(ENTRIES_KEPT)
    expect(entriesOf('b')).toEqual([])
    expect(entriesOf('top').at(-1)?.changes).toEqual([
      { field: 'child', before: { groupId: 'b', name: 'b' }, after: null },
    ])
    expect(history.gone.get('b')).toBe('top')
  })

  test('has nothing of devices that nobody changed', () => {
    expect(folded(devices(1000)).history.devices.size).toBe(0)
  })

  test('read from its first entry on ends where the group is now', () => {
    const step = fc.oneof(
      fc.tuple(fc.constantFrom('a', 'b'), fc.string({ minLength: 1 })).map(([id, name]) => renamed(id, name)),
      fc.tuple(fc.nat(3), fc.constantFrom('a', 'b', 'top')).map(([deviceNo, id]) => moved(deviceNo, id)),
    )
    fc.assert(
      fc.property(fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 10 }), (commands) => {
        const { directory, entriesOf } = folded(devices(4), ...commands)
        for (const one of directory.groups.values()) {
          const recorded = entriesOf(one._id).flatMap(({ changes }) => changes)
          expect(recorded.findLast(({ field }) => field === 'name')?.after).toBe(one.name)
          const balance = recorded
            .filter(({ field }) => field === 'things')
            .reduce((sum, { before }) => sum + (before === null ? 1 : -1), one._id === 'a' ? 4 : 0)
          expect(balance).toBe(one.devices.size)
        }
      }),
    )
  })
})
