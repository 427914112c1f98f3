import fc from 'fast-check'
import { object, string } from 'superstruct'
import { describe, expect, test } from 'vitest'
import { ContractError } from '#machines/contracts/decode.ts'
import { factContract, type NewFact } from '#machines/contracts/facts.ts'
import { createReadings, pushReading, readingAt } from '#machines/contracts/readings.ts'
import { type Store, VersionConflict } from './store.ts'
import type { WithStores } from './testing/stores.ts'
import { FACT_FORMAT, type FactFormat } from './upcast.ts'
import { verifyRecord } from './verify-record.ts'

const clock = { now: () => 1_000 }

const groupDeleted = (groupId: string, at = 5): NewFact => ({
  type: 'group.deleted',
  at,
  companyId: 'c1',
  data: { groupId },
})
const suspended = (companyId: string): NewFact => ({
  type: 'company.suspended',
  at: 6,
  companyId,
  by: 'u1',
  data: { companyId },
})
const broken = { type: 'group.deleted', at: 5, companyId: 'c1', data: { groupId: 12 } } as unknown as NewFact

/**
 * What every event log promises.
 * @param withStores gives a test its own empty place for stores
 * @param numRuns of what is tried with made-up appends: fewer where opening a store takes long
 */
export function eventLogContract(name: string, withStores: WithStores, numRuns = 40): void {
  const withLog = (run: (store: Store) => Promise<void>) =>
    withStores(async ({ open }) => {
      const store = await open({ clock })
      try {
        await run(store)
      } finally {
        await store.close()
      }
    })

  describe(`event log: ${name}`, () => {
    test('an empty log has head 0 and nothing to read', () =>
      withLog(async ({ log }) => {
        expect(log.head()).toBe(0)
        expect(log.readStream('group-g1')).toEqual([])
        expect(log.readFacts(0)).toEqual([])
        expect(log.read(0, 10)).toEqual([])
      }))

    test('what is appended is read back with its number, both times and its cause', () =>
      withLog(async ({ log }) => {
        const { facts, version, repeated } = await log.append('company-c1', [
          suspended('c1'),
          groupDeleted('g1'),
        ])
        expect({ version, repeated }).toEqual({ version: 2, repeated: false })
        expect(facts).toEqual([
          { ...suspended('c1'), seq: 1, id: expect.any(String), v: 1, recordedAt: 1_000 },
          { ...groupDeleted('g1'), seq: 2, id: expect.any(String), v: 1, recordedAt: 1_000 },
        ])
        expect(facts[0]?.id).not.toBe(facts[1]?.id)
        expect(log.readStream('company-c1')).toEqual(facts)
        expect(log.readFacts(0)).toEqual(facts)
        expect(log.head()).toBe(2)
      }))

    test('a stream holds its own facts, reading by number holds all, by type only those', () =>
      withLog(async ({ log }) => {
        await log.append('group-a', [groupDeleted('a')])
        await log.append('company-c1', [suspended('c1')])
        await log.append('group-b', [groupDeleted('b')])
        const seqs = (facts: { seq: number }[]) => facts.map(({ seq }) => seq)
        expect(seqs(log.readStream('group-b'))).toEqual([3])
        expect(seqs(log.readFacts(1))).toEqual([2, 3])
        expect(seqs(log.readFacts(0, { limit: 2 }))).toEqual([1, 2])
        expect(seqs(log.readFacts(0, { types: ['group.deleted'] }))).toEqual([1, 3])
        expect(seqs(log.readFacts(0, { types: ['group.deleted', 'company.suspended'], limit: 2 }))).toEqual([
          1, 2,
        ])
        expect(log.readFacts(0, { types: [] })).toEqual([])
      }))

    test('of two writers who expect the same version one is told that the other was first', () =>
      withLog(async ({ log }) => {
        const [first, second] = await Promise.allSettled([
          log.append('group-a', [groupDeleted('a')], { expectedVersion: 0 }),
          log.append('group-a', [groupDeleted('b')], { expectedVersion: 0 }),
        ])
        expect(first.status).toBe('fulfilled')
        expect(second).toMatchObject({ status: 'rejected', reason: expect.any(VersionConflict) })
        expect(log.readStream('group-a')).toHaveLength(1)
        expect(log.version('group-a')).toBe(1)
        expect((await log.append('group-a', [groupDeleted('c')], { expectedVersion: 1 })).version).toBe(2)
        expect(log.version('group-b')).toBe(0)
        expect(await log.caughtUp()).toBe(2)
      }))

    test('the same key again appends nothing and answers what the first call answered', () =>
      withLog(async ({ log }) => {
        const once = log.append('group-a', [groupDeleted('a'), groupDeleted('b')], { idempotencyKey: 'k' })
        const again = log.append('group-a', [groupDeleted('a')], { idempotencyKey: 'k', expectedVersion: 0 })
        await log.append('group-a', [groupDeleted('z')])
        const later = await log.append('group-x', [], { idempotencyKey: 'k' })
        expect(await again).toEqual({ ...(await once), repeated: true })
        expect(later).toEqual({ ...(await once), repeated: true })
        expect(log.readFacts(0)).toHaveLength(3)
      }))

    test('a key whose append failed is free for the next try', () =>
      withLog(async ({ log }) => {
        const options = { idempotencyKey: 'k' }
        await expect(
          log.append('group-a', [groupDeleted('a')], { ...options, expectedVersion: 3 }),
        ).rejects.toThrow(VersionConflict)
        expect((await log.append('group-a', [groupDeleted('a')], options)).repeated).toBe(false)
      }))

    test('what is no fact is refused with the place of the fault, whole appends at a time', () =>
      withLog(async ({ log }) => {
        const refused = log.append('group-a', [groupDeleted('a'), broken])
        await expect(refused).rejects.toThrow(ContractError)
        await expect(refused).rejects.toThrow(/group-a, fact 1: at data\.groupId/)
        expect(log.head()).toBe(0)
      }))

    test("a fact does not change when the caller's object does", () =>
      withLog(async ({ log }) => {
        const fact = groupDeleted('a')
        const appended = log.append('group-a', [fact])
        ;(fact.data as { groupId: string }).groupId = 'changed'
        await appended
        expect(log.readStream('group-a')[0]?.data).toEqual({ groupId: 'a' })
      }))

    test('facts and telemetry batches share one sequence and are read in its order', () =>
      withLog(async ({ log, telemetry }) => {
        const readings = createReadings(1)
        pushReading(readings, { device: 3, at: 10, temperature: -4.25 })
        const [fact, batch] = await Promise.all([
          log.append('group-a', [groupDeleted('a')]),
          telemetry.append(readings, 77),
          log.append('group-a', [groupDeleted('b')]),
        ])
        expect(batch.seq).toBe(2)
        const records = log.read(0, 10)
        expect(records.map(({ seq, kind }) => [seq, kind])).toEqual([
          [1, 'fact'],
          [2, 'readings'],
          [3, 'fact'],
        ])
        expect(records[0]).toEqual({ seq: 1, kind: 'fact', fact: fact.facts[0] })
        const second = records[1]
        if (second?.kind !== 'readings') throw new Error('a batch was expected')
        expect(second.recordedAt).toBe(77)
        expect(readingAt(second.readings, 0)).toEqual({ device: 3, at: 10, temperature: -4.25 })
        expect(log.read(1, 1).map(({ seq }) => seq)).toEqual([2])
        expect(log.readFacts(0).map(({ seq }) => seq)).toEqual([1, 3])
      }))

    test('listeners hear of each commit after it can be read, until they stop', () =>
      withLog(async ({ log }) => {
        const heard: [number, number][] = []
        const stop = log.onCommit((head) => heard.push([head, log.readFacts(0).length]))
        await Promise.all([
          log.append('group-a', [groupDeleted('a')]),
          log.append('group-a', [groupDeleted('b')]),
        ])
        await Promise.resolve()
        expect(heard).toEqual([[2, 2]])
        await expect(log.append('group-a', [groupDeleted('a')], { expectedVersion: 0 })).rejects.toThrow(
          VersionConflict,
        )
        stop()
        await log.append('group-a', [groupDeleted('c')])
        await Promise.resolve()
        expect(heard).toEqual([[2, 2]])
      }))

    test('what is appended on one node is there on another that catches up, and its listeners hear of it', () =>
      withStores(async ({ open, beside }) => {
        const store = await open({ clock })
        const other = await (beside?.({ clock }) ?? store)
        const heard = new Promise((resolve) => other.log.onCommit(resolve))
        const { facts } = await store.log.append('group-a', [groupDeleted('a')], { idempotencyKey: 'k' })
        await store.telemetry.append(createReadings(0), 3)
        expect(await other.log.caughtUp()).toBe(2)
        await heard
        expect(other.log.readFacts(0)).toEqual(facts)
        expect(other.log.version('group-a')).toBe(1)
        await expect(
          other.log.append('group-a', [groupDeleted('b')], { expectedVersion: 0 }),
        ).rejects.toThrow(VersionConflict)
        expect(await other.log.append('group-a', [], { idempotencyKey: 'k' })).toMatchObject({
          repeated: true,
        })
        expect((await other.log.append('group-b', [groupDeleted('b')])).facts).toMatchObject([{ seq: 3 }])
        expect(await store.log.caughtUp()).toBe(3)
        expect(store.log.read(0, 10)).toEqual(other.log.read(0, 10))
        if (other !== store) await other.close()
        await store.close()
      }))

    test('records of an older version of a fact type are read in the one of today, beside new ones', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock })
        await store.log.append('group-a', [groupDeleted('a'), suspended('c1')])
        if (reopen) {
          await store.close()
          store = await reopen({ clock, factFormat: RAISED })
          await store.log.append('group-b', [withReason])
          const { log } = store
          const expected = [
            { type: 'group.deleted', v: 2, data: { groupId: 'a', reason: 'not known' } },
            { type: 'company.suspended', v: 1 },
            { type: 'group.deleted', v: 2, data: { groupId: 'b', reason: 'sold' } },
          ]
          expect(log.readFacts(0)).toMatchObject(expected)
          expect(log.read(0, 10).map((one) => one.kind === 'fact' && one.fact)).toMatchObject(expected)
          expect(log.readStream('group-a')).toMatchObject(expected.slice(0, 2))
          // what was written stays as it was written
          expect(log.readStored(0).map(({ seq, type, v }) => [seq, type, v])).toEqual([
            [1, 'group.deleted', 1],
            [2, 'company.suspended', 1],
            [3, 'group.deleted', 2],
          ])
          expect(await verifyRecord(log, RAISED)).toEqual({ facts: 3, unreadable: [], count: 0 })
          await expect(log.append('group-b', [groupDeleted('b')])).rejects.toThrow(/data\.reason/)
        }
        await store.close()
      }))

    test('the release before refuses what a later one wrote, and verifying names each such fact', () =>
      withStores(async ({ open, reopen }) => {
        let store = await open({ clock, factFormat: RAISED })
        await store.log.append('group-b', [suspended('c1'), withReason])
        if (reopen) {
          await store.close()
          store = await reopen({ clock })
        }
        const seen = await verifyRecord(store.log, reopen ? undefined : FACT_FORMAT)
        expect(seen).toMatchObject({ facts: 2, count: 1 })
        expect(seen.unreadable).toMatchObject([
          { seq: 2, type: 'group.deleted', v: 2, reason: expect.stringMatching(/later release/) },
        ])
        if (reopen) expect(() => store.log.readFacts(0)).toThrow(/group\.deleted 2.*later release/)
        await store.close()
      }))

    test(
      'whatever fails in between, numbers have no gap and streams no hole; a restart keeps both',
      () =>
        fc.assert(
          fc.asyncProperty(fc.array(attempts, { maxLength: 12 }), (turns) =>
            withStores(async ({ open, reopen }) => {
              let store = await open({ clock })
              const versions = new Map<string, number>()
              const keys = new Set<string>()
              let total = 0
              for (const { restart, group } of turns) {
                if (restart && reopen) {
                  await store.close()
                  store = await reopen({ clock })
                }
                const { log } = store
                const expected = group.map(({ stream, count, fault, key }) => {
                  const version = versions.get(stream) ?? 0
                  if (fault === 'broken') return 'refused'
                  if (key !== undefined && keys.has(key)) return 'repeated'
                  if (fault === 'version') return 'refused'
                  versions.set(stream, version + count)
                  if (key !== undefined) keys.add(key)
                  total += count
                  return version + count
                })
                const outcomes = await Promise.all(
                  group.map(({ stream, count, fault, key }) =>
                    log
                      .append(
                        stream,
                        [
                          ...Array.from({ length: count }, () => groupDeleted('a')),
                          ...(fault === 'broken' ? [broken] : []),
                        ],
                        {
                          ...(fault === 'version' ? { expectedVersion: 999 } : {}),
                          ...(key === undefined ? {} : { idempotencyKey: key }),
                        },
                      )
                      .then(({ version, repeated }) => (repeated ? 'repeated' : version))
                      .catch(() => 'refused'),
                  ),
                )
                expect(outcomes).toEqual(expected)
              }
              const { log } = store
              expect(log.head()).toBe(total)
              expect(log.readFacts(0, { limit: 1e6 }).map(({ seq }) => seq)).toEqual(
                Array.from({ length: total }, (_, i) => i + 1),
              )
              for (const [stream, version] of versions) {
                expect(log.version(stream)).toBe(version)
                expect(log.readStream(stream)).toHaveLength(version)
              }
              await store.close()
            }),
          ),
          { numRuns },
        ),
      120_000,
    )
  })
}

/** A release in which the deletion of a group says why. */
const RAISED: FactFormat = {
  versions: { 'group.deleted': 2 },
  upcasts: { 'group.deleted': { 1: (data) => ({ ...(data as object), reason: 'not known' }) } },
  contract: factContract(
    { 'group.deleted': 2 },
    { 'group.deleted': object({ groupId: string(), reason: string() }) as never },
  ),
}
const withReason = { ...groupDeleted('b'), data: { groupId: 'b', reason: 'sold' } as never } as NewFact

const attempts = fc.record({
  restart: fc.boolean(),
  group: fc.array(
    fc.record({
      stream: fc.constantFrom('group-a', 'group-b', 'device-1'),
      count: fc.integer({ min: 0, max: 3 }),
      fault: fc.constantFrom('none', 'none', 'version', 'broken'),
      key: fc.option(fc.constantFrom('k1', 'k2', 'k3', 'k4'), { nil: undefined }),
    }),
    { maxLength: 5 },
  ),
})
