import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { startProjecting } from '../../server/read-models/read-models.ts'
import { openSqliteStore } from '../../server/store/sqlite/open.ts'
import { createLogHash } from './log-hash.ts'

const IMEIS = ['356307181126482', '356307181126490', '356307181126508']

const someFact = fc
  .record({ imei: fc.constantFrom(...IMEIS), at: fc.integer({ min: 1, max: 1e6 }), kind: fc.nat(3) })
  .map(({ imei, at, kind }): NewFact => {
    const about = { at, companyId: 'c' }
    if (kind === 0) return { ...about, type: 'sensor.unplugged', data: { imei } }
    if (kind === 1) return { ...about, type: 'sensor.plugged-in', data: { imei } }
    const [from, to] = kind === 2 ? (['online', 'offline'] as const) : (['offline', 'online'] as const)
    return { ...about, type: 'device-status.changed', data: { imei, from, to } }
  })
const facts = fc.array(someFact, { minLength: 1, maxLength: 12 })

/** The hash of a log that got these facts, some before somebody asked and the rest after. */
async function hashOf(published: NewFact[], before = 0): Promise<{ value: string; facts: number }> {
  const store = openSqliteStore({ dir: ':memory:', clock: { now: () => 2e6 } })
  const append = (some: NewFact[]) => (some.length > 0 ? store.log.append('evaluator', some) : undefined)
  await append(published.slice(0, before))
  const readModels = startProjecting(store)
  const hash = createLogHash(store.log, readModels)
  await hash.caughtUp
  await append(published.slice(before))
  await readModels.settled(store.log.head())
  readModels.stop()
  await store.close()
  return { value: hash.value(), facts: hash.facts() }
}

test('the hash is of what was told, not of its order, nor of when it was asked for', async () => {
  await fc.assert(
    fc.asyncProperty(facts, fc.nat(12), async (published, before) => {
      const once = await hashOf(published)
      expect(once.value).toMatch(/^[0-9a-f]{16}$/)
      expect(once.facts).toBe(published.length)
      expect(await hashOf(published.toReversed(), Math.min(before, published.length))).toEqual(once)
    }),
    { numRuns: 15 },
  )
})

test('any fact more, or another time of one, is another hash; when a silent device is back is not in it', async () => {
  await fc.assert(
    fc.asyncProperty(facts, someFact, async (published, other) => {
      const { value } = await hashOf(published)
      expect((await hashOf([...published, other])).value).not.toBe(value)
      const isBack = other.type === 'device-status.changed' && other.data.to === 'online'
      const [now, later] = [
        await hashOf([...published, other]),
        await hashOf([...published, { ...other, at: other.at + 1 }]),
      ]
      expect(later.value === now.value).toBe(isBack)
    }),
    { numRuns: 15 },
  )
})
