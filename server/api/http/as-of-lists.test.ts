import fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { AsOfView } from '#machines/contracts/calls/as-of.ts'
import { AS_COMPANY } from '#machines/contracts/entities/evaluation.ts'
import type { Cut } from '../../read-models/cut.ts'
import { createPast } from '../../read-models/fleet-at.ts'
import { createNotificationIndex } from '../../read-models/notification-index.ts'
import { statusChanged, user, violationFoundLate, violationOpened } from '../../testing/facts.ts'
import { type KeptServer, startKeptServer } from './testing/kept-server.ts'
import { asOf, listsOf, RANGE, randomSteps } from './testing/random-record.ts'
import { START } from './testing/test-app.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const IMEI = '35000000000000'
const RANGE1 = { startDate: START - 60 * MINUTE, endDate: START + 120 * MINUTE }
const iso = (at: number): string => new Date(at).toISOString()
const here = () => kept.server.clock.at
let kept: KeptServer
afterEach(() => kept.stop())

describe('lists as of a time', () => {
  test('say as it was known then what they said then, whatever came since', async () => {
    const { step, forget } = randomSteps(() => kept)
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        kept = await startKeptServer()
        forget()
        const token = await kept.tokenOf('ayesha')
        const live: { at: number; lists: unknown }[] = []
        for (const [n, take] of [...steps, () => kept.passMinutes(1)].entries()) {
          const at = here()
          await take(n)
          if (here() > at) live.push({ at: here(), lists: await listsOf(kept, token) })
        }
        for (const { at, lists } of live) expect(await listsOf(kept, token, asOf(at, 'then'))).toEqual(lists)
        await kept.stop()
      }),
      { numRuns: 15 },
    )
    kept = await startKeptServer()
  })

  test('say as it is known now what happened by then: found late at its time, to whoever it is known, and nothing of after', async () => {
    kept = await startKeptServer()
    const { server, store, passMinutes } = kept
    const token = await kept.tokenOf('ayesha')
    await passMinutes(0)
    await passMinutes(90)
    const happened = START + 30 * MINUTE
    await store(violationFoundLate(`${IMEI}1`, happened, { clearedAt: happened + 20 * MINUTE }, 'indus'))
    const id = `f${server.store.log.head()}`
    await passMinutes(1)
    await server.ask('comment', { params: { id }, token, body: { comment: 'It was the door' } })
    const listAt = async (minute: number, view: AsOfView) => {
      const query = asOf(START + minute * MINUTE, view)
      const ask = { params: { groupId: 'indus' }, body: { ...RANGE, limit: 100 }, token, query }
      return (await server.answer('notifications', ask)).notifications.map(
        ({ createdAt, clearedAt, comments, foundLate }) => [
          createdAt,
          clearedAt,
          comments.length,
          !!foundLate,
        ],
      )
    }
    expect(await listAt(60, 'then'), 'nobody knew').toEqual([])
    expect(await listAt(29, 'now'), 'it was to come').toEqual([])
    expect(await listAt(40, 'now')).toEqual([[iso(happened), null, 0, true]])
    expect(await listAt(60, 'now')).toEqual([[iso(happened), iso(happened + 20 * MINUTE), 0, true]])
    const countAt = async (minute: number, view: AsOfView) => {
      const query = asOf(START + minute * MINUTE, view)
      return (
        await server.answer('summaryChart', { params: { groupId: 'indus' }, body: RANGE, token, query })
      ).totalViolations
    }
    expect([await countAt(60, 'then'), await countAt(60, 'now'), await countAt(29, 'now')]).toEqual([0, 1, 0])
    const whyAt = (minute: number, view: AsOfView) =>
      server.ask('why', { params: { id }, token, query: asOf(START + minute * MINUTE, view) })
    expect((await whyAt(60, 'then')).statusCode, 'it was not told yet').toBe(404)
    expect((await whyAt(40, 'now')).json().violation).toMatchObject({ clearedAt: null, worst: null })
  })

  test.each([false, true])(
    'say by which margin a violation was to end then, its group renamed since: %s',
    async (isRenamed) => {
      kept = await startKeptServer()
      const { server, store, passMinutes, happens } = kept
      const token = await kept.tokenOf('ayesha')
      const groupId = server.readModels.directory.devices[1]?.groupId ?? ''
      const margin = (clearMarginTemperature: number) =>
        happens('group.evaluation-set', { groupId, ...AS_COMPANY, clearMarginTemperature })
      await margin(2)
      await store(violationOpened(`${IMEI}1`, here(), {}, 'indus'))
      const id = `f${server.store.log.head()}`
      await passMinutes(1)
      const at = here()
      await passMinutes(1)
      await margin(1)
      if (isRenamed) await happens('group.updated', { groupId, name: 'Punjab North' })
      const marginAt = async (query?: object) =>
        (await server.answer('why', { params: { id }, token, ...(query && { query: { ...query } }) }))
          .violation.clearMargin
      expect([await marginAt(asOf(at, 'then')), await marginAt(asOf(at, 'now')), await marginAt()]).toEqual([
        2, 2, 1,
      ])
    },
  )

  test('have what an operator had in hand for months', async () => {
    kept = await startKeptServer()
    const { server, store, passMinutes } = kept
    const token = await kept.tokenOf('ayesha')
    await store(violationOpened(`${IMEI}1`, START - 60 * DAY, {}, 'indus'))
    await passMinutes(1)
    const at = here()
    await passMinutes(10)
    const ask = { params: { groupId: 'indus' }, token }
    const { open } = await server.answer('incidents', ask)
    expect(open.map(({ imei }) => imei)).toEqual([`${IMEI}1`])
    for (const view of ['then', 'now'] as const)
      expect((await server.answer('incidents', { ...ask, query: asOf(at, view) })).open, view).toEqual(open)
  })

  test('say of lost devices that were shelved what those were since, read once for all of them', async () => {
    kept = await startKeptServer()
    const { server, store, passMinutes } = kept
    const token = await kept.tokenOf('ayesha')
    const imeis = [0, 1, 2].map((no) => IMEI + no)
    for (const imei of imeis) {
      await store(statusChanged(imei, here(), 'online', 'disconnected', 'indus'))
      const ask = { params: { imei, type: 'offline' }, token, body: { minutes: 60, reason: 'Known' } }
      await server.answer('shelve', ask)
      await store(statusChanged(imei, here() + 1, 'disconnected', 'offline', 'indus'))
    }
    await passMinutes(1)
    const at = here()
    const live = await listsOf(kept, token)
    for (const imei of imeis) await store(statusChanged(imei, here(), 'offline', 'online', 'indus'))
    await passMinutes(5)
    expect(await listsOf(kept, token, asOf(at, 'then'))).toEqual(live)
    const reads = vi.spyOn(server.store.log, 'readFacts')
    await server.answer('incidents', { params: { groupId: 'indus' }, token, query: asOf(at, 'then') })
    const ofStatus = reads.mock.calls.filter(([, requested]) =>
      requested?.types?.includes('device-status.changed'),
    )
    reads.mockRestore()
    expect(ofStatus).toHaveLength(1)
  })

  test('of a device have what had come by then, and in the other view what came late', async () => {
    kept = await startKeptServer()
    const { server, passMinutes } = kept
    const token = await kept.tokenOf('ayesha')
    await server.read({ device: 1, at: here(), temperature: 4.8 })
    await passMinutes(0)
    await passMinutes(60)
    await server.read({ device: 1, at: START + 10 * MINUTE, temperature: 9.1 })
    await server.read({ device: 1, at: here(), temperature: 5 })
    await passMinutes(1)
    const shown = async (name: 'observations' | 'observationsLogs', view?: AsOfView) => {
      const query = { data: RANGE1, ...(view && asOf(START + 30 * MINUTE, view)) }
      const answer = (await server.ask(name, { params: { imei: `${IMEI}1` }, token, query })).json()
      return (answer.points ?? answer).map(
        (one: { temperature?: number; temp?: number }) => one.temperature ?? one.temp,
      )
    }
    for (const name of ['observations', 'observationsLogs'] as const)
      expect([await shown(name, 'then'), await shown(name, 'now'), await shown(name)], name).toEqual([
        [4.8],
        [4.8, 9.1],
        [4.8, 9.1, 5],
      ])
  })

  test('of violations call a device by one name, the one of then', async () => {
    kept = await startKeptServer()
    const { server, store, passMinutes, happens } = kept
    const token = await kept.tokenOf('ayesha')
    await store(violationOpened(`${IMEI}1`, here(), {}, 'indus'))
    await passMinutes(30)
    const query = asOf(here(), 'then')
    await passMinutes(1)
    await happens('device.updated', { imei: `${IMEI}1`, plateNumber: 'LES-9' })
    await happens('device.tracker-replaced', { no: 1, before: `${IMEI}1`, after: `${IMEI}8` })
    const body = { ...RANGE1, violations: ['HIGH_TEMPERATURE_DETECTED'], timeZone: 'Asia/Karachi' }
    const ask = { params: { groupId: 'indus' }, token, query }
    const { devices } = await server.answer('violationTimes', { ...ask, body })
    const { data } = await server.answer('violationStats', { ...ask, body: { ...body, timeZone: undefined } })
    for (const one of [devices, data]) expect(one).toMatchObject([{ plateNumber: 'LES-1', imei: `${IMEI}1` }])
  })

  test('say of a device what was kept aside by then, and that it was held until its time came', async () => {
    kept = await startKeptServer()
    const { server, passMinutes } = kept
    const token = await kept.tokenOf('ayesha')
    await passMinutes(0)
    const reading = (minute: number, temperature: number) => ({
      ...{ device: 1, at: START + minute * MINUTE, temperature },
    })
    const received = (minute: number) => ({ receivedAt: START + minute * MINUTE })
    await server.store.aside.add([
      { kind: 'released', ...received(5), reading: reading(30, 4) },
      { kind: 'other', ...received(50), reading: reading(10, 9) },
    ])
    await passMinutes(60)
    const asideAt = async (minute: number, view: AsOfView) => {
      const query = { data: RANGE1, ...asOf(START + minute * MINUTE, view) }
      const answer = await server.answer('observationsAside', {
        params: { imei: `${IMEI}1` },
        token,
        query,
      })
      return answer.aside.map(({ kind, row }) => [kind, row.temperature])
    }
    expect(await asideAt(4, 'then'), 'nothing had come').toEqual([])
    expect(await asideAt(20, 'then'), 'its time was to come').toEqual([['held', 4]])
    expect(await asideAt(40, 'then')).toEqual([['released', 4]])
    expect(await asideAt(20, 'now'), 'it came later, of before').toEqual([['other', 9]])
    expect(await asideAt(40, 'now')).toEqual([
      ['other', 9],
      ['released', 4],
    ])
  })

  test('give nothing back that was taken away since, nor what is called otherwise beyond it', async () => {
    kept = await startKeptServer()
    const { server, store, happens, passMinutes } = kept
    const danish = await kept.tokenOf('danish')
    await store(
      violationOpened(`${IMEI}1`, here(), {}, 'indus'),
      violationOpened(`${IMEI}2`, here(), {}, 'indus'),
    )
    await happens('user.updated', { userId: 'u4', groupId: 'lahore' })
    await passMinutes(1)
    const then = here()
    await happens('device.updated', { imei: `${IMEI}1`, groupId: 'sindh' })
    await happens('user.updated', { userId: 'u4', groupId: 'sindh' })
    await passMinutes(1)
    const query = asOf(then, 'then')
    const { notifications } = await server.answer('notifications', {
      ...{ params: { groupId: 'punjab' }, body: { ...RANGE, limit: 100 }, token: danish, query },
    })
    expect(notifications.map(({ thing }) => thing)).toEqual([`${IMEI}2`])
    const users = await server.answer('groupUsers', { params: { groupId: 'punjab' }, token: danish, query })
    expect(users.map(({ userName }) => userName)).toEqual(['danish'])
    const [groups] = await server.answer('companyGroups', {
      params: { companyId: 'indus' },
      token: danish,
      query,
    })
    expect(groups).toMatchObject({ _id: 'punjab', totalVehicles: 1 })
    const history = { params: { imei: `${IMEI}1` }, query: { data: RANGE1, ...query }, token: danish }
    expect((await server.ask('observations', history)).statusCode).toBe(404)
  })

  test('name no group and nobody who was deleted after they were taken away', async () => {
    kept = await startKeptServer()
    const { server, store, happens, passMinutes } = kept
    const danish = await kept.tokenOf('danish')
    await store(user('u7', 'indus', 'lahore', 'hina'), user('u8', 'indus', 'lahore', 'omar'))
    await passMinutes(1)
    const query = asOf(here(), 'then')
    await happens('user.updated', { userId: 'u7', groupId: 'sindh' })
    for (const userId of ['u7', 'u8']) await happens('user.deleted', { userId })
    const ask = { params: { groupId: 'punjab' }, token: danish, query }
    const usersThen = async () => (await server.answer('groupUsers', ask)).map(({ userName }) => userName)
    const groupThen = () => server.answer('group', { ...ask, params: { id: 'punjab' } })
    expect(await usersThen()).toEqual(['danish', 'omar'])
    expect((await groupThen()).child).toMatchObject([{ _id: 'lahore', totalVehicles: 1 }])
    await happens('group.updated', { groupId: 'lahore', parentId: 'sindh' })
    await happens('device.updated', { imei: `${IMEI}2`, groupId: 'sindh' })
    await happens('group.deleted', { groupId: 'lahore' })
    expect(await usersThen()).toEqual(['danish'])
    expect((await groupThen()).child).toEqual([])
  })

  test.each([
    ['onwards', [0, 1, 2, 3]],
    ['to and fro', [2, 0, 3, 1]],
  ])(
    'call things as they were called then, whatever else is asked for before it is read: %s',
    async (_, order) => {
      kept = await startKeptServer()
      const { server, passMinutes, happens } = kept
      const names = ['Morning', 'Noon', 'Evening', 'Night']
      const times: number[] = []
      for (const name of names) {
        await happens('device.updated', { imei: `${IMEI}1`, name })
        await happens('user.updated', { userId: 'u2', firstName: name })
        await happens('group.updated', { groupId: 'lahore', name })
        await passMinutes(1)
        times.push(here())
      }
      const { store, readModels } = server
      const notifications = createNotificationIndex(store.log, readModels)
      const past = createPast({ store, readModels, notifications })
      const cuts = await Promise.all(order.map((i) => past.cut(times[i] as number, 'then')))
      const calledIn = (cut: Cut | undefined) => [
        cut?.directory.devices[1]?.name,
        cut?.directory.users.get('u2')?.firstName,
        cut?.directory.groups.get('lahore')?.name,
      ]
      expect(cuts.map(calledIn)).toEqual(order.map((i) => [names[i], names[i], names[i]]))
    },
  )

  test('are refused of what is still to come, and of a time of which nothing is kept', async () => {
    kept = await startKeptServer()
    const token = await kept.tokenOf('ayesha')
    await kept.passMinutes(1)
    const answerAt = async (at: number) => {
      const ask = { params: { groupId: 'indus' }, token, query: asOf(at, 'then') }
      const { statusCode, body } = await kept.server.ask('groupUsers', ask)
      return [statusCode, JSON.parse(body).message]
    }
    expect(await answerAt(here() + 1)).toEqual([400, 'That is still to come'])
    expect(await answerAt(START - 40 * DAY)).toEqual([404, 'Nothing was kept yet'])
  })
})
