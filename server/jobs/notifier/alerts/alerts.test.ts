import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { StoreUnavailable } from '../../../store/store.ts'
import { facts, openAlertingApp, START } from './testing/alerting-app.ts'

async function appWith(options: Parameters<typeof openAlertingApp>[0] = {}) {
  const house = await openAlertingApp(options)
  onTestFinished(house.close)
  return house
}

const switches = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: true,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: true,
}
const set = (
  userId: string,
  change: { sms?: Partial<typeof switches>; email?: Partial<typeof switches> },
): NewFact => ({
  type: 'user.alerts-set',
  at: START,
  companyId: 'indus',
  data: { userId, sms: { ...switches, ...change.sms }, email: { ...switches, ...change.email } },
})
const HIGH_OFF = { HIGH_TEMPERATURE_DETECTED: false }

describe('a violation is told', () => {
  test.each([
    ['of Lahore to those in the groups above', 2, ['u1', 'u2']],
    ['of Sindh to who sees all of it', 3, ['u1']],
    ['of another company to its own', 4, ['u3']],
  ])('%s', async (_, device, people) => {
    const house = await appWith()
    await house.open(device)
    const to = house.told().map(([, userId, channel]) => `${userId} ${channel}`)
    expect(to.toSorted()).toEqual(people.flatMap((userId) => [`${userId} email`, `${userId} sms`]))
    expect(house.alerts.stats()).toEqual({ raised: { email: people.length, sms: people.length }, waiting: 0 })
  })

  test('as each has set it for its type and each channel', async () => {
    const house = await appWith()
    await house.append(set('u1', { sms: HIGH_OFF }), set('u2', { email: HIGH_OFF, sms: HIGH_OFF }))
    await house.open(2)
    expect(house.told().map(([, userId, channel]) => [userId, channel])).toEqual([['u1', 'email']])
    await house.append(house.violation(2, { type: 'LOW_HUMIDITY_DETECTED', threshold: 20, value: 11 }))
    await house.pass(10)
    expect(house.told()).toHaveLength(5)
  })

  test('to nobody of a company that is suspended', async () => {
    const house = await appWith()
    await house.append({
      type: 'company.suspended',
      at: START,
      companyId: 'indus',
      data: { companyId: 'indus' },
    })
    await house.open(2)
    await house.append({
      type: 'company.resumed',
      at: START,
      companyId: 'indus',
      data: { companyId: 'indus' },
    })
    await house.pass(61)
    expect(house.told()).toEqual([])
  })

  test('to nobody who turned it off, or sees it no more, before the digest leaves', async () => {
    const house = await appWith()
    await house.open(2)
    await house.open(2)
    await house.append(set('u1', { email: HIGH_OFF, sms: HIGH_OFF }), {
      type: 'device.updated',
      at: START,
      companyId: 'indus',
      data: { imei: '350000000000002', groupId: 'sindh' },
    })
    await house.pass(61)
    expect(house.told()).toHaveLength(4)
  })

  test('not where it is the same again as what somebody takes care of', async () => {
    const house = await appWith()
    const first = house.violation(3)
    const { violationId, imei, type } = first.data
    await house.append(first)
    await house.alerts.settled()
    await house.append(
      {
        type: 'violation.acknowledged',
        at: START,
        companyId: 'indus',
        data: { violationId, notificationId: 'f1', imei, type, userName: 'Ayesha', comment: '' },
      },
      {
        type: 'violation.cleared',
        at: START,
        companyId: 'indus',
        data: { violationId, imei, type, value: 7, worst: 9.4, durationSeconds: 60, reason: 'back-inside' },
      },
      house.violation(3),
    )
    await house.pass(61)
    expect(house.told()).toHaveLength(2)
    await house.append(house.violation(3, { value: 12 }))
    await house.alerts.settled()
    expect(house.told()).toHaveLength(4)
  })
})

test('300 at once are two messages to each, by each channel', async () => {
  const house = await appWith()
  await house.open(2)
  for (let i = 0; i < 30; i++) await house.open(...Array<number>(10).fill(2))
  await house.pass(61)
  const toAyesha = house.told().filter(([, userId, channel]) => userId === 'u1' && channel === 'email')
  expect(toAyesha.map(([minute, , , about]) => [minute, about.length])).toEqual([
    [0, 1],
    [10, 300],
  ])
  expect(house.told()).toHaveLength(8)
})

test('what opened before the first start is never told, nor what is found in the past', async () => {
  const house = await appWith()
  await house.alerts.stop()
  const found = house.violation(2)
  const { delaySeconds, readings, ...data } = found.data
  await house.append({
    ...found,
    type: 'violation.found',
    data: { ...data, delaySeconds, worst: 10, clearedAt: START, durationSeconds: 60, reason: 'back-inside' },
  })
  expect(readings).toHaveLength(1)
  await house.restart()
  await house.pass(61)
  expect(house.told()).toEqual([])
})

describe('what is gathered outlives the house', () => {
  test.each(['restart', 'kill'] as const)(
    '%s amid a digest: it is told when it is due, once',
    async (how) => {
      const house = await appWith()
      await house.open(3)
      await house.pass(4)
      await house.open(3)
      await house[how]()
      await house.pass(5)
      expect(house.told()).toHaveLength(2)
      await house[how]()
      await house.pass(61)
      await house[how]()
      const about = house.told().filter(([, , channel]) => channel === 'sms')
      expect(about.map(([minute, , , seqs]) => [minute, seqs.length])).toEqual([
        [0, 1],
        [10, 1],
      ])
    },
  )

  test('also when it was saved before lists took the place of maps', async () => {
    const house = await appWith()
    await house.open(3)
    await house.pass(4)
    await house.open(3)
    await house.alerts.stop()
    const { checkpoints } = house.store
    const { folded, lines } = deserialize(checkpoints.load('alerts')?.bytes as Uint8Array)
    for (const line of lines.values())
      line.gathered = new Map(line.gathered.map((violation: { seq: number }) => [violation.seq, violation]))
    checkpoints.save('alerts', Number.MAX_SAFE_INTEGER, serialize({ shape: 1, folded, lines }))
    await house.kill()
    await house.pass(6)
    expect(house.told().map(([minute]) => minute)).toEqual([0, 0, 10, 10])
  })

  test('a kill after somebody turned a switch on tells nothing of before', async () => {
    const house = await appWith()
    await house.append(set('u1', { sms: HIGH_OFF, email: HIGH_OFF }))
    await house.open(3)
    await house.append(set('u1', {}))
    await house.kill()
    await house.pass(61)
    expect(house.told()).toEqual([])
    await house.open(3)
    expect(house.told()).toHaveLength(2)
  })

  test('what came due while it was down is told at the start', async () => {
    const house = await appWith()
    await house.open(3)
    await house.open(3)
    await house.alerts.stop()
    house.clock.at += 3 * 3_600_000
    await house.restart()
    expect(house.told().map(([minute]) => minute)).toEqual([0, 0, 180, 180])
  })

  test('whenever it starts anew, the same is told at the same time', async () => {
    const step = fc.oneof(
      fc.constant('open' as const),
      fc.constant('restart' as const),
      fc.constant('kill' as const),
      fc.integer({ min: 1, max: 25 }),
    )
    const run = async (steps: readonly (string | number)[]) => {
      const house = await openAlertingApp()
      let opened = 0
      for (const each of steps) {
        if (each === 'restart' || each === 'kill') await house[each]()
        else if (each === 'open') await house.open(1 + (opened++ % 3))
        else await house.pass(Number(each))
      }
      await house.pass(61)
      const told = house.told()
      const violations = facts(house.store.log, 'violation.opened').map(({ seq }) => seq)
      await house.close()
      return { told, violations }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { told, violations } = await run(steps)
        const undisturbed = await run(steps.filter((each) => each === 'open' || typeof each === 'number'))
        expect(told).toEqual(undisturbed.told)
        const toAyesha = told.filter(([, userId, channel]) => userId === 'u1' && channel === 'sms')
        expect(toAyesha.flatMap(([, , , about]) => about)).toEqual(violations)
      }),
      { numRuns: 15 },
    )
  })
})

test('a start reads on from where it was saved, not the whole log', async () => {
  let least = Number.POSITIVE_INFINITY
  const house = await appWith({
    log: (log) => ({
      ...log,
      readFacts(after, options) {
        least = Math.min(least, after)
        return log.readFacts(after, options)
      },
    }),
  })
  await house.open(...Array<number>(2_000).fill(3))
  await house.pass(61)
  await house.restart()
  const { seq } = house.readModels
  await house.restart()
  least = Number.POSITIVE_INFINITY
  await house.open(3)
  await house.kill()
  expect(least).toBeGreaterThanOrEqual(seq)
})

test('while the store cannot write, nobody is told; then all are, once', async () => {
  let isFull = true
  const waiting: (() => void)[] = []
  const house = await appWith({
    pauses: { sleep: () => new Promise((resolve) => void waiting.push(resolve)) },
    log: (log) => ({
      ...log,
      append: (...args) => (isFull ? Promise.reject(new StoreUnavailable('full')) : log.append(...args)),
    }),
  })
  await house.append(house.violation(3))
  await expect.poll(() => waiting.length).toBe(2)
  expect(house.told()).toEqual([])
  isFull = false
  for (const wake of waiting.splice(0)) wake()
  await house.alerts.settled()
  expect(house.told()).toHaveLength(2)
  expect(house.warnings).toEqual([])
})
