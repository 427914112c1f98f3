import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Directory } from '#machines/projections/directory.ts'
import { StoreUnavailable } from '../store/store.ts'
import { company, group, user } from '../testing/facts.ts'
import { createExecute } from './execute.ts'
import { asRepeatable } from './repeatable.ts'
import { STRUCTURE } from './structure.ts'
import { openRecord } from './testing/shared-record.ts'
import { createUser } from './users/create-user.ts'
import { deleteUser } from './users/delete-user.ts'

const LINK = { linkId: 'l', purpose: 'activation' as const, tokenHash: 't', codeHash: null, expiresAt: 1e13 }

/** What a node of a server does with users. */
function peopleOf({ log, readModels }: ReturnType<ReturnType<typeof openRecord>['node']>) {
  const execute = createExecute({ log, readModels, clock: { now: () => 1_000 } })
  return {
    create: (userId: string, userName: string) =>
      execute(
        STRUCTURE,
        {
          type: 'user.create',
          by: null,
          data: {
            ...{ userId, userName, groupId: 'top', email: `${userId}@c.example`, phone: '03001234567' },
            ...{ firstName: 'Amna', lastName: 'Malik', link: { ...LINK, linkId: `l-${userId}` } },
          },
        },
        (state, command) => createUser(state, command, 'top'),
      ),
    remove: (userId: string) =>
      execute(STRUCTURE, { type: 'user.delete', by: null, data: { userId } }, (state, command) =>
        deleteUser(state, command, 'top'),
      ),
  }
}

const COMPANY = [company('c'), group('top', 'c', null), user('u0', 'c', 'top', 'amna')]
const namesIn = (directory: Directory) => [...directory.users.values()].map(({ userName }) => userName)

test('whatever several nodes are asked at once, a user name is given once, and who is refused was too late', async () => {
  const requested = fc.array(
    fc.record({
      node: fc.nat(2),
      name: fc.constantFrom('one', 'two', 'three', 'four'),
      heard: fc.nat(20),
      waits: fc.boolean(),
    }),
    { minLength: 2, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(requested, async (asks) => {
      const { record, node } = openRecord(COMPANY)
      const nodes = [node(), node(), node()].map((each) => ({ ...each, ...peopleOf(each) }))
      const outcomes: Promise<string | undefined>[] = []
      for (const [i, ask] of asks.entries()) {
        const at = nodes[ask.node] as (typeof nodes)[number]
        at.hear(ask.heard)
        const done = at.create(`u${i + 1}`, ask.name).then(({ refused }) => refused?.message)
        outcomes.push(done)
        if (ask.waits) await done
      }
      const refused = await Promise.all(outcomes)
      const fresh = node()
      expect(namesIn(fresh.directory).toSorted()).toEqual([...new Set(namesIn(fresh.directory))].toSorted())
      const wanted = new Set(asks.map(({ name }) => name))
      expect(refused.filter((each) => each === undefined)).toHaveLength(wanted.size)
      expect(record).toHaveLength(COMPANY.length + 2 * wanted.size)
    }),
    { numRuns: 200 },
  )
})

test('nobody is refused for not knowing yet what another node was told before', async () => {
  const { node } = openRecord(COMPANY)
  const [here, there] = [node(), node()]
  const [first, second] = [peopleOf(here), peopleOf(there)]
  await first.create('u1', 'one')
  expect(there.directory.users.has('u1')).toBe(false)
  expect(await second.remove('u1')).toMatchObject({ facts: [{ type: 'user.deleted' }] })
  expect((await first.remove('u1')).refused).toMatchObject({ status: 404 })
})

test('one person writes so much a day: others go on, and so does who is asked by nobody', async () => {
  const clock = { now: () => now }
  let now = 1_000
  const { node } = openRecord(COMPANY)
  const execute = createExecute({ ...node(), clock, mostADay: 3_000 })
  let made = 0
  const make = async (by: string | null) => {
    const userId = `u${++made}`
    const names = { userName: userId, firstName: 'Amna', lastName: 'Malik', phone: '03001234567' }
    const link = { ...LINK, linkId: `l-${userId}` }
    const data = { userId, groupId: 'top', email: `${userId}@c.example`, ...names, link }
    const { refused } = await execute(STRUCTURE, { type: 'user.create', by, data }, (state, command) =>
      createUser(state, command, 'top'),
    )
    return refused?.message
  }
  const answers = []
  for (let i = 0; i < 20; i++) answers.push(await make('u0'))
  const refused = 'You have changed too much today: go on tomorrow (UTC)'
  expect([answers[0], answers.at(-1)]).toEqual([undefined, refused])
  expect([await make('u1'), await make(null), await make('u0')]).toEqual([undefined, undefined, refused])
  now += 86_400_000
  expect(await make('u0')).toBeUndefined()
})

test('where the record cannot be asked, a command is neither done nor refused', async () => {
  const { node, away, record } = openRecord(COMPANY)
  const here = peopleOf(node())
  away(true)
  await expect(here.create('u1', 'one')).rejects.toThrow(StoreUnavailable)
  await expect(here.remove('u9')).rejects.toThrow(StoreUnavailable)
  away(false)
  expect((await here.create('u1', 'one')).refused).toBeUndefined()
  expect(record).toHaveLength(COMPANY.length + 2)
})

test('whoever waits behind one whom the record did not answer is told with them, whoever comes later asks anew', async () => {
  const { node, away, record, requested } = openRecord(COMPANY)
  const here = peopleOf(node())
  away(true)
  const results = await Promise.allSettled(
    ['one', 'two', 'three'].map((name) => here.create(`u-${name}`, name)),
  )
  expect(results.every(({ status }) => status === 'rejected')).toBe(true)
  expect(requested()).toBe(1)
  await expect(here.create('u-four', 'four')).rejects.toThrow(StoreUnavailable)
  expect(requested()).toBe(2)
  away(false)
  await here.create('u-five', 'five')
  expect(record).toHaveLength(COMPANY.length + 2)
})

test('what is sent twice under one key, to two nodes at once, is done once and answered the same', async () => {
  const sent = fc.record({ heard: fc.nat(20), waits: fc.boolean() })
  await fc.assert(
    fc.asyncProperty(fc.array(sent, { minLength: 2, maxLength: 6 }), async (sends) => {
      const { record, node } = openRecord(COMPANY)
      const nodes = [node(), node()].map((each) => ({ ...each, ...peopleOf(each) }))
      const outcomes = []
      for (const [i, { heard, waits }] of sends.entries()) {
        const at = nodes[i % 2] as (typeof nodes)[number]
        at.hear(heard)
        const done = asRepeatable({ id: 'a', at: 1 }, () => at.create('u1', 'one'))
        outcomes.push(done)
        if (waits) await done
      }
      const answers = await Promise.all(outcomes)
      const [first] = answers
      for (const { answer, hasChanged } of answers) {
        expect(hasChanged).toBe(true)
        expect(answer).toEqual(first?.answer)
      }
      expect(record).toHaveLength(COMPANY.length + 2)
    }),
    { numRuns: 100 },
  )
})
