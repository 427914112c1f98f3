import fc from 'fast-check'
import { expect, test } from 'vitest'
import { given } from '../../commands/testing/given.ts'
import { company, device, group, user } from '../../testing/facts.ts'
import { groupAnswer } from './group-answer.ts'

test('counts of a group equal a recount of all devices and users, whatever the tree', () => {
  /** group `g1` and those after it hang below one that is there already; devices and users are in any */
  const companies = fc.integer({ min: 1, max: 8 }).chain((size) =>
    fc.record({
      parents: fc.tuple(...Array.from({ length: size }, (_, i) => fc.nat(i))),
      devices: fc.array(fc.nat(size), { maxLength: 20 }),
      users: fc.array(fc.nat(size), { maxLength: 10 }),
    }),
  )
  fc.assert(
    fc.property(companies, ({ parents, devices, users }) => {
      const { directory } = given(
        company('indus'),
        group('g0', 'indus', null),
        ...parents.map((parent, i) => group(`g${i + 1}`, 'indus', `g${parent}`)),
        ...devices.map((home, no) => device(no, `35000000000000${no}`, 'indus', `g${home}`)),
        ...users.map((home, i) => user(`u${i}`, 'indus', `g${home}`, `user${i}`)),
      )
      const isBelow = (id: number, top: number): boolean =>
        id === top || (id > 0 && isBelow(parents[id - 1] as number, top))
      for (let id = 0; id <= parents.length; id++) {
        const own = devices.filter((home) => home === id).length
        const all = devices.filter((home) => isBelow(home, id)).length
        const one = directory.groups.get(`g${id}`)
        if (one === undefined) throw new Error(`g${id} is not there`)
        expect(groupAnswer(directory, one, 'g0')).toMatchObject({
          totalVehicles: all,
          assignedVehicles: all - own,
          unAssignedvehicles: own,
          users: users.filter((home) => home === id).length,
        })
      }
    }),
  )
})
