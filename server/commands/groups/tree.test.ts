import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { CommandType } from '#machines/contracts/commands.ts'
import { decode } from '#machines/contracts/decode.ts'
import { Fact, type NewFact } from '#machines/contracts/facts.ts'
import { type Directory, evolve } from '#machines/projections/directory.ts'
import { emptyHistory, evolveHistory } from '#machines/projections/history.ts'
import type { Decision } from '../decision.ts'
import { moveDevices } from '../devices/move-devices.ts'
import { updateDevice } from '../devices/update-device.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { createUser } from '../users/create-user.ts'
import { deleteUser } from '../users/delete-user.ts'
import { updateUser } from '../users/update-user.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { adjustGroup, updateGroup } from './update-group.ts'

/** Groups there are, some that may come to be, and one that never is. */
const GROUPS = ['indus', 'punjab', 'lahore', 'sindh', 'empty', 'karakoram', 'g1', 'g2', 'g3', 'nowhere']
const USERS = ['u1', 'u2', 'u3', 'u4', 'n1', 'n2', 'n3']
const group = fc.constantFrom(...GROUPS)
const user = fc.constantFrom(...USERS)
const imei = fc.nat(5).map((no) => String(350_000_000_000_000 + no))
const things = fc.array(imei, { maxLength: 4 })
const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}
const form = { name: 'New name', description: '', ...limits }
const person = { firstName: 'Omar', lastName: 'Shah', phone: '03001234567' }
const link = {
  linkId: 'l1',
  purpose: 'activation' as const,
  tokenHash: 'hash',
  codeHash: null,
  expiresAt: 1,
}

const CONDITIONAL = new Set<CommandType>(['group.update', 'group.adjust', 'device.update', 'user.update'])

type Decider = (directory: Directory, command: never, topId: string) => Decision
type Step = { type: CommandType; decide: Decider; data: object }
const step = (type: CommandType, decide: Decider, data: fc.Arbitrary<object>): fc.Arbitrary<Step> =>
  data.map((values) => ({
    type,
    decide,
    data: CONDITIONAL.has(type) ? { ...values, ifVersion: null } : values,
  }))

const steps: fc.Arbitrary<Step> = fc.oneof(
  step(
    'group.create',
    createGroup,
    fc
      .record({ groupId: fc.constantFrom('g1', 'g2', 'g3'), parentId: group, things })
      .map((values) => ({ ...form, companyId: 'indus', ...values })),
  ),
  step(
    'group.update',
    updateGroup,
    fc
      .record({ groupId: group, things: fc.option(things), parentId: fc.option(group) })
      .map(({ groupId, ...some }) => ({
        ...form,
        groupId,
        things: some.things ?? undefined,
        parentId: some.parentId ?? undefined,
      })),
  ),
  step('group.adjust', adjustGroup, fc.record({ groupId: group, name: fc.constantFrom('A', 'B') })),
  step('group.delete', deleteGroup, fc.record({ groupId: group })),
  step('device.update', updateDevice, fc.record({ imei, groupId: group })),
  step('device.move', moveDevices, fc.record({ things, groupId: group })),
  step(
    'user.create',
    createUser,
    fc
      .record({ userId: fc.constantFrom('n1', 'n2', 'n3'), groupId: group })
      .map(({ userId, groupId }) => ({ ...person, userId, groupId, email: `${userId}@x.example`, link })),
  ),
  step(
    'user.update',
    updateUser,
    fc.record({ userId: user, groupId: group }).map((values) => ({ ...person, ...values })),
  ),
  step('user.delete', deleteUser, fc.record({ userId: user })),
)

const isThere = ({ groups, users }: Directory, data: object): boolean =>
  'userId' in data ? users.has(String(data.userId)) : 'groupId' in data && groups.has(String(data.groupId))

/** What must be so whatever was asked for. */
function expectWhole(directory: Directory): void {
  for (const one of directory.groups.values()) {
    const above = new Set<string>()
    let top = one
    while (top.parentId !== null) {
      expect(above.has(top._id), `${one._id} is in a circle`).toBe(false)
      above.add(top._id)
      const parent = directory.groups.get(top.parentId)
      expect(parent, `${top._id} hangs on nothing`).toBeDefined()
      expect(parent?.child.filter((id) => id === top._id)).toHaveLength(1)
      expect(parent?.companyId).toBe(top.companyId)
      top = parent as typeof top
    }
    for (const id of one.child) expect(directory.groups.get(id)?.parentId).toBe(one._id)
    for (const no of one.devices) expect(directory.devices[no]?.groupId).toBe(one._id)
    for (const id of one.users) expect(directory.users.get(id)?.groupId).toBe(one._id)
  }
  for (const device of directory.devices) {
    const home = directory.groups.get(device.groupId ?? '')
    expect(home?.devices.has(device.no), `${device.imei} is in no group`).toBe(true)
    expect(home?.companyId).toBe(device.companyId)
  }
  for (const one of directory.users.values()) {
    const home = directory.groups.get(one.groupId)
    expect(home?.users.has(one._id), `${one._id} is in no group`).toBe(true)
    expect(home?.companyId).toBe(one.companyId)
    expect(directory.logins.get(one.email.toLowerCase())).toBe(one._id)
    expect(directory.logins.get(one.userName.toLowerCase())).toBe(one._id)
  }
}

test('whatever is requested by whomever, there is no circle and nothing hangs loose', () => {
  const requested = fc.array(
    fc.tuple(steps, fc.constantFrom('indus', 'indus', 'indus', 'punjab', 'karakoram')),
    {
      minLength: 5,
      maxLength: 25,
    },
  )
  let refused = 0
  let followed = 0
  fc.assert(
    fc.property(requested, (commands) => {
      const { directory } = given(...twoCompanies)
      const history = emptyHistory()
      let seq = 1000
      for (const [{ type, decide, data }, topId] of commands) {
        // ids are new ones outside of this test
        if (type.endsWith('.create') && isThere(directory, data)) continue
        const command = { type, at: seq, by: 'u1', data } as never
        const decision = decide(directory, command, topId)
        if (decision.refused) {
          expect(decision.facts).toEqual([])
          refused++
        } else followed++
        for (const fact of decision.facts) {
          seq++
          const stored = decode({ ...fact, seq, id: `f${seq}`, v: 1, recordedAt: seq }, Fact)
          evolveHistory(history, directory, stored)
          evolve(directory, stored)
        }
        expectWhole(directory)
      }
      expect(directory.groups.has('indus') && directory.groups.has('karakoram')).toBe(true)
      expect(directory.users.has('u1')).toBe(true)
    }),
    { numRuns: 300 },
  )
  expect(Math.min(refused, followed)).toBeGreaterThan(300)
})

test('a decision taken twice changes nothing the second time', () => {
  const quiet = fc.oneof(
    step(
      'group.update',
      updateGroup,
      fc.record({ groupId: group, things }).map((values) => ({ ...form, ...values })),
    ),
    step('device.update', updateDevice, fc.record({ imei, groupId: group })),
  )
  fc.assert(
    fc.property(quiet, ({ type, decide, data }) => {
      const { directory } = given(...twoCompanies)
      const ask = () => decide(directory, { type, at: 1, by: 'u1', data } as never, 'indus')
      ask().facts.forEach((fact: NewFact, i) => {
        evolve(directory, { ...fact, seq: 1000 + i, id: 'f', v: 1, recordedAt: 1 } as Fact)
      })
      expect(ask().facts).toEqual([])
    }),
  )
})
