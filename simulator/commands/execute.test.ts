import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Fact, NewFact } from '#machines/contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { StoreUnavailable, VersionConflict } from '../log/log.ts'
import { company, group, user } from '../testing/facts.ts'
import { createExecute } from './execute.ts'
import { STRUCTURE } from './structure.ts'
import { createUser } from './users/create-user.ts'

const LINK = { linkId: 'l', purpose: 'activation' as const, tokenHash: 't', codeHash: null, expiresAt: 1e13 }

/** A record that several nodes append to, each of which holds what it was given of it so far. */
function openRecord(facts: NewFact[]) {
  const record: { stream: string; fact: Fact }[] = []
  let isAway = false
  const add = (stream: string, fact: NewFact): Fact => {
    const seq = record.length + 1
    const stored = { ...fact, seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as Fact
    record.push({ stream, fact: stored })
    return stored
  }
  const version = (stream: string, head: number) =>
    record.slice(0, head).filter((each) => each.stream === stream).length
  for (const fact of facts) add('house', fact)

  function node() {
    const directory = emptyDirectory()
    const model = { seq: 0, directory, settled: async (seq: number) => follow(seq) }
    let head = 0
    /** hears of the record up to there */
    function follow(upTo: number): void {
      head = Math.max(head, upTo)
      for (; model.seq < head; model.seq++) evolve(directory, (record[model.seq] as { fact: Fact }).fact)
    }
    follow(record.length)
    const execute = createExecute({
      clock: { now: () => 1_000 },
      readModels: model,
      log: {
        head: () => head,
        version: (stream) => version(stream, head),
        async caughtUp() {
          await setImmediate()
          if (isAway) throw new StoreUnavailable('nobody answers')
          follow(record.length)
          return record.length
        },
        async append(stream, news, { expectedVersion = 'any' } = {}) {
          await setImmediate()
          if (isAway) throw new StoreUnavailable('nobody answers')
          const actual = version(stream, record.length)
          if (expectedVersion !== 'any' && expectedVersion !== actual)
            throw new VersionConflict(stream, expectedVersion, actual)
          const told = news.map((fact) => add(stream, fact))
          follow(record.length)
          return { facts: told, version: actual + told.length, repeated: false }
        },
      },
    })
    return {
      directory,
      hear: (upTo: number) => follow(Math.min(upTo, record.length)),
      create: (userId: string, userName: string) =>
        execute(
          STRUCTURE,
          {
            type: 'user.create',
            by: null,
            data: {
              userId,
              userName,
              groupId: 'top',
              email: `${userId}@c.example`,
              firstName: 'Amna',
              lastName: 'Malik',
              phone: '03001234567',
              link: { ...LINK, linkId: `l-${userId}` },
            },
          },
          (state, command) => createUser(state, command, 'top'),
        ),
      /** nobody is there: refused without a fact */
      remove: (userId: string) =>
        execute(STRUCTURE, { type: 'user.delete', by: null, data: { userId } }, (state, { at, data }) =>
          state.users.has(data.userId)
            ? { facts: [{ type: 'user.deleted', at, companyId: 'c', data: { userId: data.userId } }] }
            : { facts: [], refused: { status: 404, message: 'Not found' } },
        ),
    }
  }
  return {
    record,
    node,
    away: (is: boolean) => {
      isAway = is
    },
  }
}

const HOUSE = [company('c'), group('top', 'c', null), user('u0', 'c', 'top', 'amna')]
const namesIn = (directory: Directory) => [...directory.users.values()].map(({ userName }) => userName)

test('whatever several nodes are asked at once, a user name is given once, and who is refused was too late', async () => {
  const asked = fc.array(
    fc.record({
      node: fc.nat(2),
      name: fc.constantFrom('one', 'two', 'three', 'four'),
      heard: fc.nat(20),
      waits: fc.boolean(),
    }),
    { minLength: 2, maxLength: 12 },
  )
  await fc.assert(
    fc.asyncProperty(asked, async (asks) => {
      const { record, node } = openRecord(HOUSE)
      const nodes = [node(), node(), node()]
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
      expect(record).toHaveLength(HOUSE.length + 2 * wanted.size)
    }),
    { numRuns: 200 },
  )
})

test('nobody is refused for not knowing yet what another node was told before', async () => {
  const { node } = openRecord(HOUSE)
  const [first, second] = [node(), node()]
  await first.create('u1', 'one')
  expect(second.directory.users.has('u1')).toBe(false)
  expect(await second.remove('u1')).toMatchObject({ facts: [{ type: 'user.deleted' }] })
  expect((await first.remove('u1')).refused).toMatchObject({ status: 404 })
})

test('where the record cannot be asked, a command is neither done nor refused', async () => {
  const { node, away, record } = openRecord(HOUSE)
  const here = node()
  away(true)
  await expect(here.create('u1', 'one')).rejects.toThrow(StoreUnavailable)
  await expect(here.remove('u9')).rejects.toThrow(StoreUnavailable)
  away(false)
  expect((await here.create('u1', 'one')).refused).toBeUndefined()
  expect(record).toHaveLength(HOUSE.length + 2)
})
