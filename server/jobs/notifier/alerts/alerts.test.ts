import { deserialize, serialize } from 'node:v8'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { AlertSwitches } from '#machines/contracts/entities/violation-types.ts'
import type { FactData, NewFact } from '#machines/contracts/facts.ts'
import { ownKey } from '../../../store/append-keys.ts'
import { StoreUnavailable } from '../../../store/store.ts'
import { device } from '../../../testing/facts.ts'
import { facts, openAlertingApp, START } from './testing/alerting-app.ts'

async function appWith(options: Parameters<typeof openAlertingApp>[0] = {}) {
  const app = await openAlertingApp(options)
  onTestFinished(app.close)
  return app
}

const switches = {
  LOW_TEMPERATURE_DETECTED: true,
  LOW_HUMIDITY_DETECTED: true,
  HIGH_TEMPERATURE_DETECTED: true,
  HIGH_HUMIDITY_DETECTED: true,
}
const set = (
  userId: string,
  change: { sms?: Partial<AlertSwitches>; email?: Partial<AlertSwitches> },
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
    const app = await appWith()
    await app.open(device)
    const to = app.notified().map(([, userId, channel]) => `${userId} ${channel}`)
    expect(to.toSorted()).toEqual(people.flatMap((userId) => [`${userId} email`, `${userId} sms`]))
    expect(app.alerts.stats()).toEqual({ raised: { email: people.length, sms: people.length }, waiting: 0 })
  })

  test('and is known for a while by the time it was told at, that nobody is told twice', async () => {
    const app = await appWith()
    const append = vi.spyOn(app.store.log, 'append')
    await app.open(3)
    const [violation] = app.store.log.readFacts(0, { types: ['violation.opened'] })
    const idempotencyKey = ownKey(violation?.recordedAt ?? 0, `alert-u1-sms-${violation?.seq}`)
    expect(append).toHaveBeenCalledWith('alerts', expect.anything(), { idempotencyKey })
  })

  test('as each has set it for its type and each channel', async () => {
    const app = await appWith()
    await app.append(set('u1', { sms: HIGH_OFF }), set('u2', { email: HIGH_OFF, sms: HIGH_OFF }))
    await app.open(2)
    expect(app.notified().map(([, userId, channel]) => [userId, channel])).toEqual([['u1', 'email']])
    await app.append(app.violation(2, { type: 'LOW_HUMIDITY_DETECTED', threshold: 20, value: 11 }))
    await app.pass(10)
    expect(app.notified()).toHaveLength(5)
  })

  test('to nobody of a company that is suspended', async () => {
    const app = await appWith()
    await app.append({
      type: 'company.suspended',
      at: START,
      companyId: 'indus',
      data: { companyId: 'indus' },
    })
    await app.open(2)
    await app.append({
      type: 'company.resumed',
      at: START,
      companyId: 'indus',
      data: { companyId: 'indus' },
    })
    await app.pass(61)
    expect(app.notified()).toEqual([])
  })

  test('to nobody who turned it off, or sees it no more, before the digest leaves', async () => {
    const app = await appWith()
    await app.open(2)
    await app.open(2)
    await app.append(set('u1', { email: HIGH_OFF, sms: HIGH_OFF }), {
      type: 'device.updated',
      at: START,
      companyId: 'indus',
      data: { imei: '350000000000002', groupId: 'sindh' },
    })
    await app.pass(61)
    expect(app.notified()).toHaveLength(4)
  })

  test('to those who see the device it was of, though another in a group beside has its IMEI by then', async () => {
    const app = await appWith()
    await app.open(2)
    await app.open(2)
    const before = '350000000000002'
    const data = { no: 2, before, after: '350000000000099' }
    await app.append(
      { type: 'device.tracker-replaced', at: START, companyId: 'indus', data },
      device(5, before, 'indus', 'sindh'),
    )
    await app.pass(61)
    const to = app.notified().map(([, userId, channel]) => `${userId} ${channel}`)
    expect(to.slice(4).toSorted()).toEqual(['u1 email', 'u1 sms', 'u2 email', 'u2 sms'])
  })

  test('not where it is the same again as what somebody takes care of', async () => {
    const app = await appWith()
    const first = app.violation(3)
    const { violationId, imei, type } = first.data
    await app.append(first)
    await app.alerts.settled()
    await app.append(
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
      app.violation(3),
    )
    await app.pass(61)
    expect(app.notified()).toHaveLength(2)
    await app.append(app.violation(3, { value: 12 }))
    await app.alerts.settled()
    expect(app.notified()).toHaveLength(4)
  })
})

describe('what is shelved', () => {
  const kind = { imei: '350000000000003', type: 'HIGH_TEMPERATURE_DETECTED' } as const
  const about = { at: START, companyId: 'indus' }
  const until = START + 60 * 60_000
  const shelved: NewFact = {
    ...about,
    type: 'violation.shelved',
    data: { ...kind, until, reason: 'Defrost', userName: 'Ayesha' },
  }
  const unshelved = (opened: number | null): NewFact => ({
    ...about,
    type: 'violation.unshelved',
    data: { ...kind, opened },
  })

  test('is told to nobody, another kind of the same device is', async () => {
    const app = await appWith()
    await app.append(shelved)
    await app.open(3)
    expect(app.notified()).toEqual([])
    await app.append(app.violation(3, { type: 'LOW_HUMIDITY_DETECTED', threshold: 20, value: 11 }))
    await app.alerts.settled()
    expect(app.notified()).toHaveLength(2)
  })

  test('and lasts when that ends, is told once, also after a kill', async () => {
    const app = await appWith()
    const first = app.violation(3)
    await app.append(shelved, first)
    await app.alerts.settled()
    const seq = facts(app.store.log, 'violation.opened').find(
      ({ data }) => data.violationId === first.data.violationId,
    )?.seq
    await app.append(unshelved(seq ?? 0))
    await app.kill()
    expect(app.notified()).toHaveLength(2)
    await app.pass(120)
    expect(app.notified()).toHaveLength(2)
  })

  test('and opens between its end and where that is said, is told once', async () => {
    const app = await appWith()
    await app.append(shelved)
    app.clock.at = until + 1000
    const late = app.violation(3)
    await app.append(late)
    await app.alerts.settled()
    const opened = facts(app.store.log, 'violation.opened').at(-1)
    await app.append(unshelved(opened?.seq ?? 0))
    await app.pass(120)
    expect(app.notified()).toHaveLength(2)
  })

  test('and is found late, is told once when that ends, also after a kill', async () => {
    const app = await appWith()
    await app.append(shelved, app.foundLate(3, { clearedAt: null }), app.foundLate(3))
    const [lasting] = facts(app.store.log, 'violation.found-late')
    await app.pass(5)
    await app.append(unshelved(lasting?.seq ?? 0))
    await app.kill()
    await app.pass(120)
    expect(app.notified().map(([minute, , , about]) => [minute, about.length])).toEqual([
      [5, 1],
      [5, 1],
    ])
  })

  test('and is over when that ends, is never told', async () => {
    const app = await appWith()
    await app.append(shelved, app.violation(3), unshelved(null))
    await app.pass(120)
    expect(app.notified()).toEqual([])
  })

  test('before its digest leaves, is in none', async () => {
    const app = await appWith()
    await app.open(3)
    await app.open(3)
    await app.append(shelved)
    await app.pass(30)
    expect(app.notified()).toHaveLength(2)
  })
})

describe('what was found late', () => {
  test('is told in a digest of its own, a quarter of an hour after the first of it', async () => {
    const app = await appWith()
    await app.append(app.foundLate(3), app.foundLate(3, { clearedAt: null }))
    await app.alerts.settled()
    expect(app.notified()).toEqual([])
    await app.pass(10)
    await app.append(app.foundLate(3))
    await app.pass(20)
    expect(
      app.notified().map(([minute, userId, channel, about]) => [minute, userId, channel, about.length]),
    ).toEqual([
      [15, 'u1', 'email', 3],
      [15, 'u1', 'sms', 3],
    ])
    await app.append(app.foundLate(3))
    await app.pass(20)
    expect(app.notified().map(([minute]) => minute)).toEqual([15, 15, 45, 45])
  })

  test('puts off nothing that is told at once, nor is it put off', async () => {
    const app = await appWith()
    await app.append(app.foundLate(3))
    await app.open(3)
    await app.pass(16)
    expect(app.notified().map(([minute, , channel, about]) => [minute, channel, about.length])).toEqual([
      [0, 'email', 1],
      [0, 'sms', 1],
      [15, 'email', 1],
      [15, 'sms', 1],
    ])
  })

  test.each(['restart', 'kill'] as const)(
    'is told once, also after a %s amid the wait and after it',
    async (how) => {
      const app = await appWith()
      await app.append(app.foundLate(3))
      await app.pass(5)
      await app[how]()
      await app.pass(11)
      await app[how]()
      await app.pass(60)
      expect(app.notified().map(([minute]) => minute)).toEqual([15, 15])
    },
  )

  test.each(['restart', 'kill'] as const)(
    'and what waited to be told are told to nobody when they never were, also after a %s',
    async (how) => {
      const app = await appWith()
      await app.open(3)
      const [waits, found, stays] = [app.violation(3), app.foundLate(3), app.foundLate(3)]
      await app.append(waits, found, stays)
      await app.pass(2)
      await app.append(...[waits, found].map(app.neverWas))
      await app[how]()
      await app.pass(61)
      expect(app.notified().map(([minute, , channel, about]) => [minute, channel, about.length])).toEqual([
        [0, 'email', 1],
        [0, 'sms', 1],
        [15, 'email', 1],
        [15, 'sms', 1],
      ])
    },
  )

  test('is told to nobody who turned its kind off', async () => {
    const app = await appWith()
    await app.append(set('u1', { email: HIGH_OFF, sms: HIGH_OFF }), app.foundLate(3))
    await app.pass(61)
    expect(app.notified()).toEqual([])
  })
})

describe('an exhausted budget', () => {
  const BUDGET_OFF = { BUDGET_EXHAUSTED: false }

  test('is told at once to those who see its device, also amid a storm of violations', async () => {
    const app = await appWith()
    await app.open(2)
    await app.open(2)
    await app.append(...app.exhausted(2))
    await app.alerts.settled()
    const notified = app.notified().slice(4)
    const to = notified.map(([minute, userId, channel]) => [minute, `${userId} ${channel}`])
    expect(to.toSorted()).toEqual(['u1 email', 'u1 sms', 'u2 email', 'u2 sms'].map((to) => [0, to]))
    expect(new Set(notified.flatMap(([, , , about]) => about)).size).toBe(1)
  })

  test.each(['restart', 'kill'] as const)(
    'within ten minutes after another waits for their end, told once, also after a %s',
    async (how) => {
      const app = await appWith()
      await app.append(...app.exhausted(3))
      await app.alerts.settled()
      await app.append(...app.exhausted(3), ...app.exhausted(3))
      await app.pass(4)
      await app[how]()
      await app.pass(61)
      await app[how]()
      const mails = app.notified().filter(([, , channel]) => channel === 'email')
      expect(mails.map(([minute, , , about]) => [minute, about.length])).toEqual([
        [0, 1],
        [10, 2],
      ])
    },
  )

  test('is told as each has set its switch for each channel', async () => {
    const app = await appWith()
    await app.append(set('u1', { sms: BUDGET_OFF }), ...app.exhausted(3))
    await app.pass(61)
    expect(app.notified().map(([, userId, channel]) => `${userId} ${channel}`)).toEqual(['u1 email'])
  })

  test('that waited and never was is told to nobody', async () => {
    const app = await appWith()
    const [opened, first] = app.exhausted(3)
    const [other, waits] = app.exhausted(3)
    await app.append(opened, first)
    await app.alerts.settled()
    const { loadId, imei } = waits.data as FactData<'load.exhausted'>
    const data = { loadId, imei, before: waits.at, after: null }
    await app.append(other, waits, { type: 'load.revised', at: waits.at, companyId: 'indus', data })
    await app.pass(61)
    expect(app.notified()).toHaveLength(2)
  })
})

test('300 at once are two messages to each, by each channel', async () => {
  const app = await appWith()
  await app.open(2)
  for (let i = 0; i < 30; i++) await app.open(...Array<number>(10).fill(2))
  await app.pass(61)
  const toAyesha = app.notified().filter(([, userId, channel]) => userId === 'u1' && channel === 'email')
  expect(toAyesha.map(([minute, , , about]) => [minute, about.length])).toEqual([
    [0, 1],
    [10, 300],
  ])
  expect(app.notified()).toHaveLength(8)
})

test('what opened before the first start is never told, nor what is found in the past', async () => {
  const app = await appWith()
  await app.alerts.stop()
  const found = app.violation(2)
  const { delaySeconds, readings, ...data } = found.data
  await app.append({
    ...found,
    type: 'violation.found',
    data: { ...data, delaySeconds, worst: 10, clearedAt: START, durationSeconds: 60, reason: 'back-inside' },
  })
  expect(readings).toHaveLength(1)
  await app.restart()
  await app.pass(61)
  expect(app.notified()).toEqual([])
})

describe('what is gathered outlives the server', () => {
  test.each(['restart', 'kill'] as const)(
    '%s amid a digest: it is told when it is due, once',
    async (how) => {
      const app = await appWith()
      await app.open(3)
      await app.pass(4)
      await app.open(3)
      await app[how]()
      await app.pass(5)
      expect(app.notified()).toHaveLength(2)
      await app[how]()
      await app.pass(61)
      await app[how]()
      const about = app.notified().filter(([, , channel]) => channel === 'sms')
      expect(about.map(([minute, , , seqs]) => [minute, seqs.length])).toEqual([
        [0, 1],
        [10, 1],
      ])
    },
  )

  test('also when it was saved before lists took the place of maps', async () => {
    const app = await appWith()
    await app.open(3)
    await app.pass(4)
    await app.open(3)
    await app.alerts.stop()
    const { checkpoints } = app.store
    const { folded, lines } = deserialize(checkpoints.load('alerts')?.bytes as Uint8Array)
    for (const line of lines.values())
      line.gathered = new Map(line.gathered.map((violation: { seq: number }) => [violation.seq, violation]))
    checkpoints.save('alerts', Number.MAX_SAFE_INTEGER, () => serialize({ shape: 1, folded, lines }))
    await app.kill()
    await app.pass(6)
    expect(app.notified().map(([minute]) => minute)).toEqual([0, 0, 10, 10])
  })

  test('a kill after somebody turned a switch on tells nothing of before', async () => {
    const app = await appWith()
    await app.append(set('u1', { sms: HIGH_OFF, email: HIGH_OFF }))
    await app.open(3)
    await app.append(set('u1', {}))
    await app.kill()
    await app.pass(61)
    expect(app.notified()).toEqual([])
    await app.open(3)
    expect(app.notified()).toHaveLength(2)
  })

  test('what came due while it was down is told at the start', async () => {
    const app = await appWith()
    await app.open(3)
    await app.open(3)
    await app.alerts.stop()
    app.clock.at += 3 * 3_600_000
    await app.restart()
    expect(app.notified().map(([minute]) => minute)).toEqual([0, 0, 180, 180])
  })

  test('whenever it starts anew, the same is told at the same time', async () => {
    const step = fc.oneof(
      fc.constant('open' as const),
      fc.constant('restart' as const),
      fc.constant('kill' as const),
      fc.integer({ min: 1, max: 25 }),
    )
    const run = async (steps: readonly (string | number)[]) => {
      const app = await openAlertingApp()
      let opened = 0
      for (const each of steps) {
        if (each === 'restart' || each === 'kill') await app[each]()
        else if (each === 'open') await app.open(1 + (opened++ % 3))
        else await app.pass(Number(each))
      }
      await app.pass(61)
      const notified = app.notified()
      const violations = facts(app.store.log, 'violation.opened').map(({ seq }) => seq)
      await app.close()
      return { notified, violations }
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { notified, violations } = await run(steps)
        const undisturbed = await run(steps.filter((each) => each === 'open' || typeof each === 'number'))
        expect(notified).toEqual(undisturbed.notified)
        const toAyesha = notified.filter(([, userId, channel]) => userId === 'u1' && channel === 'sms')
        expect(toAyesha.flatMap(([, , , about]) => about)).toEqual(violations)
      }),
      { numRuns: 15 },
    )
  })
})

test('a start reads on from where it was saved, not the whole log', async () => {
  let least = Number.POSITIVE_INFINITY
  const app = await appWith({
    log: (log) => ({
      ...log,
      readFacts(after, options) {
        least = Math.min(least, after)
        return log.readFacts(after, options)
      },
    }),
  })
  await app.open(...Array<number>(2_000).fill(3))
  await app.pass(61)
  await app.restart()
  const { seq } = app.readModels
  await app.restart()
  least = Number.POSITIVE_INFINITY
  await app.open(3)
  await app.kill()
  expect(least).toBeGreaterThanOrEqual(seq)
})

test('one alert that is refused holds up nobody else, and is raised a minute later', async () => {
  let isRefused = true
  const app = await appWith({
    log: (log) => ({
      ...log,
      append: (stream, facts, options) =>
        isRefused && facts.some(({ type, data }) => type === 'alert.raised' && data.userId === 'u1')
          ? Promise.reject(new RangeError('not such a fact'))
          : log.append(stream, facts, options),
    }),
  })
  await app.open(2)
  await app.open(4)
  const notified = () => app.notified().map(([, userId, channel]) => `${userId} ${channel}`)
  const others = ['u2 email', 'u2 sms', 'u3 email', 'u3 sms']
  expect(notified().toSorted()).toEqual(others)
  expect(app.warnings.toSorted()).toEqual(
    ['email', 'sms'].map(
      (channel) =>
        `that somebody is alerted cannot be said of u1 ${channel}, trying again in a minute: RangeError: not such a fact`,
    ),
  )
  isRefused = false
  app.clock.at += 59_999
  await app.alerts.settled()
  expect(notified()).toHaveLength(4)
  app.clock.at += 1
  await app.alerts.settled()
  expect(notified().slice(4).toSorted()).toEqual(['u1 email', 'u1 sms'])
})

test('while the store cannot write, nobody is told; then all are, once', async () => {
  let isFull = true
  const waiting: (() => void)[] = []
  const app = await appWith({
    pauses: { sleep: () => new Promise((resolve) => void waiting.push(resolve)) },
    log: (log) => ({
      ...log,
      append: (...args) => (isFull ? Promise.reject(new StoreUnavailable('full')) : log.append(...args)),
    }),
  })
  await app.append(app.violation(3))
  await expect.poll(() => waiting.length).toBe(2)
  expect(app.notified()).toEqual([])
  isFull = false
  for (const wake of waiting.splice(0)) wake()
  await app.alerts.settled()
  expect(app.notified()).toHaveLength(2)
  expect(app.warnings).toEqual([])
})
