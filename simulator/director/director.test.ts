import fc from 'fast-check'
import { array } from 'superstruct'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SimAction, SimFault, SimLink, SimStatus } from '#machines/contracts/calls/sim-calls.ts'
import { decode } from '#machines/contracts/decode.ts'
import { FAULTS } from '#machines/contracts/scenario-script.ts'
import { devicesWithin } from '#machines/projections/directory.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
const HOUR = 3_600_000

let open: Open
beforeAll(async () => {
  open = await startDemo()
})
afterAll(() => open.server.close())

const ask = (method: string, path: string, body?: object) => open.sim.ask(method, path, body)
const status = async () => decode(await ask('GET', '/status'), SimStatus)
const actions = async () => decode(await ask('GET', '/actions'), array(SimAction))
const links = async () => decode(await ask('GET', '/links'), array(SimLink))
const inForce = async () => {
  const { now } = await status()
  return decode(await ask('GET', '/faults'), array(SimFault)).filter(
    ({ from, until }) => from <= now + 1 && until > now + 1,
  )
}
const factsAfter = (seq: number) => open.server.app.core.store.log.readFacts(seq, { limit: 1e6 })
const minuteOf = (at: number): number => Math.floor(at / 60_000)
const minutesBetween = (after: number, to: number): number[] =>
  Array.from({ length: to - after }, (_, i) => after + 1 + i)
/** The minutes after one that were kept. */
async function keptAfter(minute: number): Promise<number[]> {
  const { frames } = open.server.app.core.store
  const minutes: number[] = []
  for (let next = await frames.next(minute); next !== undefined; next = await frames.next(next.minute))
    minutes.push(next.minute)
  return minutes
}
const imeis = () => open.simulator.simulation.world.registration.devices.map(({ imei }) => imei)

describe('time', () => {
  test('goes on to the next incident and stands there, not a report later', async () => {
    const { log } = open.server.app.core.store
    const head = log.head()
    const { now: before } = await status()
    const { reportSeconds } = open.simulator.simulation.scenario
    await ask('POST', '/faults', { imei: imeis()[0], fault: 'device-unplugged', forSeconds: 600 })
    const { incident, now } = await ask('POST', '/clock', { toNextIncident: true })
    const published = factsAfter(head).filter(
      ({ type, data }) =>
        type === 'violation.opened' ||
        (type === 'device-status.changed' && data.from === 'online' && data.to !== 'online'),
    )
    expect(published.map(({ at }) => at)).toContain(incident.at)
    expect(Math.min(...published.map(({ at }) => at))).toBe(incident.at)
    expect(now).toBeGreaterThan(before)
    expect(now - incident.at).toBeLessThanOrEqual(2 * reportSeconds * 1000)
    const { name } =
      open.server.app.core.readModels.directory.devices.find(({ imei }) => imei === incident.imei) ?? {}
    expect(incident.deviceName).toBe(name)
    expect((await actions())[0]).toMatchObject({
      kind: 'clock.to-incident',
      canUndo: false,
      what: expect.stringContaining(name ?? '?'),
    })
  })

  test('that goes on has what was shown at each minute on its way kept', async () => {
    const from = minuteOf((await status()).now)
    await ask('POST', '/clock', { advanceSeconds: 600 })
    expect(await keptAfter(from)).toEqual(minutesBetween(from, from + 10))
    const { now } = await ask('POST', '/clock', { toNextIncident: true })
    expect(await keptAfter(from)).toEqual(minutesBetween(from, minuteOf(now)))
  })

  test('is stopped on its way, and meanwhile things are done to it', async () => {
    const { now } = await status()
    const travelling = ask('POST', '/clock', { advanceSeconds: (240 * HOUR) / 1000 })
    let journey = (await status()).journey
    while (journey === null || journey.at <= now) journey = (await status()).journey
    expect(journey).toMatchObject({ from: now, to: now + 240 * HOUR })
    // while it is under way: answered long before it would be there
    const { id } = await ask('POST', '/faults', { imei: imeis()[1], fault: 'gps-lost', forSeconds: 60 })
    expect((await ask('GET', `/faults/${id}`)).from).toBeGreaterThan(now)
    await ask('DELETE', '/clock/journey')
    const there = await travelling
    expect(there.journey).toBeNull()
    expect(there.now).toBeGreaterThan(now)
    expect(there.now).toBeLessThan(now + 240 * HOUR)
    expect((await open.send('DELETE', '/sim/clock/journey')).status).toBe(404)
  })
})

describe('what is done', () => {
  test('to a share is one action on the same devices, and one undo lifts all of it', async () => {
    const order = { share: 0.25, fault: 'gps-lost', forSeconds: 3600 }
    const first = await ask('POST', '/faults', order)
    const struck = (await inForce()).filter(({ id }) => id.startsWith(first.id)).map(({ imei }) => imei)
    expect([first.devices, new Set(struck).size]).toEqual([10, 10])
    expect(await ask('GET', '/faults?inForce=true')).toEqual(await inForce())
    expect((await actions())[0]).toMatchObject({
      id: first.id,
      kind: 'fault.inject',
      canUndo: true,
      what: 'Position lost on 25 % of the fleet (10 devices) for 1 h',
    })
    const undone = await ask('POST', `/actions/${first.id}/undo`)
    expect(undone).toMatchObject({ id: first.id, canUndo: false, undoneAt: (await status()).now })
    expect((await inForce()).filter(({ id }) => id.startsWith(first.id))).toEqual([])
    expect((await open.send('POST', `/sim/actions/${first.id}/undo`)).status).toBe(409)
    const second = await ask('POST', '/faults', order)
    expect((await inForce()).filter(({ id }) => id.startsWith(second.id)).map(({ imei }) => imei)).toEqual(
      struck,
    )
    expect((await open.send('DELETE', `/sim/faults/${second.id}`)).status).toBe(204)
    expect((await actions())[0]).toMatchObject({ id: second.id, undoneAt: expect.any(Number) })
  })

  test('to a share of a group stays within it', async () => {
    const { directory } = open.server.app.core.readModels
    const within = new Set(
      [...devicesWithin(directory, 'indus-lahore')].map((no) => directory.devices[no]?.imei),
    )
    const { id, devices } = await ask('POST', '/faults', {
      share: 1,
      groupId: 'indus-lahore',
      fault: 'gps-lost',
      forSeconds: 60,
    })
    const struck = (await inForce()).filter((fault) => fault.id.startsWith(id))
    expect(devices).toBe(struck.length)
    expect(struck.length).toBeGreaterThan(1)
    expect(struck.every(({ imei }) => within.has(imei))).toBe(true)
    const nowhere = { share: 1, groupId: 'nowhere', fault: 'gps-lost', forSeconds: 60 }
    expect((await open.send('POST', '/sim/faults', { body: nowhere })).status).toBe(404)
  })

  test('is said in sentences; what changed nothing is not listed', async () => {
    const listed = (await actions()).length
    await ask('POST', '/clock', { speed: 1, paused: true })
    await ask('POST', '/companies/karakoram', { suspended: false })
    expect(await actions()).toHaveLength(listed)
    const token = await open.signIn('admin@frostline.example')
    const suspend = (what: string) =>
      open.send('POST', `/api/admin/companies/karakoram/${what}`, { token, body: { reason: 'Unpaid' } })
    expect((await suspend('suspend')).status).toBe(200)
    expect((await status()).suspended).toEqual(['karakoram', 'thar'])
    await suspend('resume')
    expect((await status()).suspended).toEqual(['thar'])
    await open.signIn('operator@karakoram.example')
    await ask('POST', '/users/operatorkarakoram', { expire: true })
    const ended = factsAfter(0).filter(({ type }) => type === 'session.ended')
    expect(ended.at(-1)).toMatchObject({ data: { reason: 'expired' } })
    await ask('POST', '/companies/karakoram', { suspended: true })
    const { id } = await ask('POST', '/links', { fault: 'delay', milliseconds: 1500, forSeconds: 90 })
    const [slow, suspended, expired] = await actions()
    expect([slow?.what, suspended?.what, expired?.what]).toEqual([
      'Network slower by 1.5 s for 90 s',
      'Karakoram Foods suspended',
      'Sessions of operatorkarakoram ran out',
    ])
    expect([slow?.canUndo, suspended?.canUndo, expired?.canUndo]).toEqual([true, true, false])
    for (const action of [id, suspended?.id]) await ask('POST', `/actions/${action}/undo`)
    expect(await links()).toEqual([])
    await open.signIn('operator@karakoram.example')
  })

  test('whatever it was, undone in whatever order it is as it was', async () => {
    const { core } = open.server.app
    const { director, simulation } = open.simulator
    if (director === undefined) throw new Error('nobody directs this server')
    const { companies } = core.readModels.directory
    const standing = (at: number) =>
      director.faults.list(false).filter(({ from, until }) => from <= at + 1 && until > at + 1)
    const state = () => ({
      faults: standing(simulation.clock.now()),
      links: director.network.list().length,
      suspended: [...companies.values()]
        .filter((company) => company.suspended)
        .map((company) => company.companyId),
      speed: simulation.clock.speed(),
      paused: simulation.clock.paused(),
    })
    const known = new Set<string>()
    const undoOne = async (pick: number): Promise<boolean> => {
      const left = director.actions.list().filter(({ canUndo, id }) => canUndo && !known.has(id))
      const one = left[pick % left.length]
      if (one !== undefined) expect(await director.actions.undo(one.id)).toMatchObject({ id: one.id })
      return one !== undefined
    }
    const link = { milliseconds: 1, share: 0, forSeconds: 3600 }
    const fault = fc.constantFrom(...FAULTS)
    const done = fc.oneof(
      fc.constantFrom(1, 10, 60).map((speed) => () => director.setSpeed(speed)),
      fc.tuple(fc.nat(39), fault, fc.constantFrom(15, 3600)).map(
        ([device, fault, forSeconds]) =>
          () =>
            director.faults.inject({ imei: imeis()[device] as string, fault, forSeconds }),
      ),
      fc.tuple(fc.constantFrom(0.1, 1), fault).map(
        ([share, fault]) =>
          () =>
            director.faults.inject({ share, fault, forSeconds: 3600 }),
      ),
      fc.nat(1000).map((pick) => async () => {
        // ending what an action brought is undoing it, and of actions of before nothing is undone
        const faults = standing(simulation.clock.now()).filter(({ id }) => !known.has(id))
        await director.faults.lift(faults[pick % faults.length]?.id ?? 'none')
      }),
      fc
        .constantFrom('delay' as const, 'reorder' as const, 'server-errors' as const)
        .map((fault) => () => director.network.begin({ ...link, fault })),
      fc.boolean().map((isSuspended) => () => director.suspendCompany('thar', isSuspended)),
      fc.nat(1000).map((pick) => () => undoOne(pick)),
      fc.constant(() => director.advance(20)),
    )
    const picks = fc.array(fc.nat(1000), { minLength: 20, maxLength: 20 })
    await fc.assert(
      fc.asyncProperty(fc.array(done, { maxLength: 10 }), picks, async (actions, order) => {
        for (const { id } of director.actions.list()) known.add(id)
        const before = state()
        for (const act of actions) await act()
        for (const pick of order) await undoOne(pick)
        while (await undoOne(0));
        const now = simulation.clock.now()
        const running = (faults: typeof before.faults) =>
          faults
            .filter(({ until }) => until > now + 1)
            .map(({ imei, fault, until }) => `${imei} ${fault} ${until}`)
            .sort()
        const after = state()
        expect({ ...after, faults: running(after.faults) }).toEqual({
          ...before,
          faults: running(before.faults),
        })
      }),
      { numRuns: 15 },
    )
  })
})
