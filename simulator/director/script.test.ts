import { cpSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import type { SimFault } from '#machines/contracts/calls/sim-calls.ts'
import type { DirectorAction } from '#machines/contracts/director-actions.ts'
import type { FactType } from '#machines/contracts/facts.ts'
import type { ScenarioFile } from '#machines/contracts/scenario.ts'
import { startDemo } from '../testing/start-demo.ts'
import type { Action } from './actions.ts'
import { readScenarioFile } from './scenario-files.ts'
import { scriptFile } from './script-file.ts'

type Open = Awaited<ReturnType<typeof startDemo>>
const MINUTE = 60_000
const DEMO = fileURLToPath(import.meta.resolve('#fixtures/scenarios/demo.json'))

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function server(source: Record<string, string>): Promise<Open> {
  const open = await startDemo(source)
  closing.push(() => open.server.close())
  return open
}

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'directed-'))
  closing.push(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Saves a scenario where its corridors and places lie as they do beside ours. */
async function saved(scenario: object): Promise<string> {
  const dir = await folder()
  const fixtures = dirname(dirname(DEMO))
  for (const name of ['corridors', 'places']) await symlink(join(fixtures, name), join(dir, name))
  await mkdir(join(dir, 'scenarios'))
  const file = join(dir, 'scenarios', 'saved.json')
  await writeFile(file, JSON.stringify(scenario))
  return file
}

const demo = async (): Promise<ScenarioFile> => JSON.parse(await readFile(DEMO, 'utf8'))
/** Since the world began. */
const publishedIn = ({ server, simulator }: Open, ...types: FactType[]) =>
  server.app.core.store.log
    .readFacts(0, { types, limit: 1e6 })
    .filter(({ at }) => at >= simulator.simulation.world.start)

describe('what was done, saved as a scenario', () => {
  test('is sent again to the byte when it is opened, and happens again', async () => {
    const directed = await server({ SEED: '77' })
    const { sim } = directed
    const { world } = directed.simulator.simulation
    const imeis = world.registration.devices.map(({ imei }) => imei)
    const ask = (method: string, path: string, body?: object) => sim.ask(method, path, body)
    const newest = async (kind: string) =>
      (await ask('GET', '/actions')).find((action: { kind: string }) => action.kind === kind).id

    await sim.advanceTo(world.start + 7 * MINUTE + 1234)
    await ask('POST', '/faults', { imei: imeis[3], fault: 'compressor-off', forSeconds: 1234.5 })
    const share = await ask('POST', '/faults', { share: 0.5, fault: 'offline', forSeconds: 900 })
    await ask('POST', '/faults', { share: 1, fault: 'duplicate', forSeconds: 60 })
    await ask('POST', '/companies/karakoram', { suspended: true })
    await ask('POST', '/users/operatorindus', { requireReset: true })
    await ask('POST', '/links', { fault: 'delay', forSeconds: 120, milliseconds: 3 })
    await sim.advanceTo(world.start + 12 * MINUTE)
    // one of many, and it comes back
    await ask('DELETE', `/faults/${share.id}-2`)
    await sim.advanceTo(world.start + 13 * MINUTE)
    await ask('POST', `/actions/${await newest('fault.lift')}/undo`)
    await sim.advanceTo(world.start + 20 * MINUTE)
    await ask('POST', `/actions/${share.id}/undo`)
    await ask('POST', `/actions/${await newest('company.suspend')}/undo`)
    const end = world.start + 30 * MINUTE
    const there = await sim.advanceTo(end)

    const script: ScenarioFile = await ask('GET', '/script')
    expect(script.scriptedFaults.filter(({ share }) => share === 1)).toHaveLength(1)
    const again = await server({ SCENARIO: await saved(script), DEVICES: '' })
    expect(again.simulator.simulation.world.size).toBe(40)
    expect((await again.sim.advanceTo(end)).hash).toBe(there.hash)
    const changes = (open: Open) =>
      publishedIn(open, 'company.suspended', 'company.resumed', 'user.reset-required').map(
        ({ type, at }) => ({
          type,
          at,
        }),
      )
    expect(changes(again)).toEqual(changes(directed))
    expect(changes(again)).toHaveLength(3)
  })
})

describe('what is saved', () => {
  const FLEET = 'indus-lahore-frozen-local'
  const start = 1_781_492_400_000
  const fault = (id: string, imei: string) => ({
    id,
    imei,
    fault: 'offline' as const,
    from: start,
    until: start + MINUTE,
  })
  const note = (done: DirectorAction) => ({ id: 'a1', at: start, what: '', done, undoneAt: null })
  const savedOf = async (change: object, faults: SimFault[], ...done: (DirectorAction | Action)[]) =>
    scriptFile({
      written: { ...(await readScenarioFile(DEMO)), ...change },
      file: DEMO,
      world: {
        seed: 1,
        start,
        size: 2,
        registration: { devices: [{ fleet: { id: FLEET } }, { fleet: { id: FLEET } }] },
        faults: () => faults,
      },
      actions: done.map((one) => ('id' in one ? one : note(one))),
    })

  test('befalls whom it befell: one device twice is not everybody once', async () => {
    const befell = async (...imeis: string[]) =>
      (
        await savedOf(
          { scriptedFaults: [] },
          imeis.map((imei, i) => fault(`f-${i}`, imei)),
        )
      ).scriptedFaults.map(({ imei, share }) => imei ?? share)
    expect(await befell('356307181126482', '356307181126490')).toEqual([1])
    expect(await befell('356307181126482', '356307181126482')).toEqual(['356307181126482', '356307181126482'])
  })

  test('is of whom there is: no tracker of a larger world, no company that was made in this one', async () => {
    const backlogs = [1, 3].map((device) => ({ fleet: FLEET, device, sort: 'newest' }))
    const saved = await savedOf(
      { backlogs, events: [] },
      [],
      { do: 'company.suspend', companyId: 'made-today' },
      { do: 'company.suspend', companyId: 'karakoram' },
    )
    expect(saved.backlogs).toEqual(backlogs.slice(0, 1))
    expect(saved.events).toEqual([{ do: 'company.suspend', afterMinutes: 0, companyId: 'karakoram' }])
  })

  test('has the network bad for as many seconds as it was, however fast the world went', async () => {
    const done = { do: 'link.fault', fault: 'cut', forSeconds: 300 } as const
    const { events } = await savedOf({ events: [] }, [], {
      ...note(done),
      undoneAt: start + 10 * MINUTE,
      realSeconds: 12,
    })
    expect(events).toEqual([{ do: 'link.fault', afterMinutes: 0, fault: 'cut', forMinutes: 0.2 }])
  })

  test('has a fault of the network end when it was lifted, one of the script too', async () => {
    const events = [
      { do: 'link.fault', afterMinutes: 1, fault: 'cut', forMinutes: 30 },
      { do: 'link.fault', afterMinutes: 2, fault: 'reorder', forMinutes: 5 },
    ]
    const first = await server({ SCENARIO: await saved({ ...(await demo()), events }) })
    const isAt = async ({ sim, simulator }: Open, minutes: number, ...faults: string[]) => {
      await sim.advanceTo(simulator.simulation.world.start + minutes * MINUTE)
      const inForce = async () =>
        (await sim.ask('GET', '/links')).map((link: { fault: string }) => link.fault)
      await expect.poll(inForce).toEqual(faults)
    }
    await isAt(first, 3, 'cut', 'reorder')
    const [cut] = await first.sim.ask('GET', '/links')
    expect(cut.worldUntil).toBe(first.simulator.simulation.world.start + 31 * MINUTE)
    await first.sim.ask('DELETE', `/links/${cut.id}`)
    expect((await first.sim.ask('GET', '/actions'))[0]).toMatchObject({
      kind: 'link.lift',
      what: 'Lifted: Network cut',
      canUndo: false,
    })
    const script: ScenarioFile = await first.sim.ask('GET', '/script')
    expect(script.events).toEqual([{ ...events[0], forMinutes: 2 }, events[1]])
    const again = await server({ SCENARIO: await saved(script) })
    await isAt(again, 2.9, 'cut', 'reorder')
    await isAt(again, 3.1, 'reorder')
  })

  test('has the network fail as many calls as it did', async () => {
    const done = { do: 'link.fault', fault: 'server-errors', forSeconds: 60, share: 0.9 } as const
    const { events } = await savedOf({ events: [] }, [], done)
    expect(events).toEqual([
      { do: 'link.fault', afterMinutes: 0, fault: 'server-errors', forMinutes: 1, share: 0.9 },
    ])
    const open = await server({ SCENARIO: await saved({ ...(await demo()), events }) })
    await open.sim.advanceTo(open.simulator.simulation.world.start + 1000)
    expect(await open.sim.ask('GET', '/links')).toMatchObject([{ fault: 'server-errors', share: 0.9 }])
  })
})

describe('the events of a scenario', () => {
  const events = [
    { do: 'company.suspend', afterMinutes: 2.5, companyId: 'karakoram' },
    { do: 'link.fault', afterMinutes: 3, fault: 'delay', forMinutes: 2, milliseconds: 1 },
    { do: 'user.require-reset', afterMinutes: 6.2, userName: 'operatorindus' },
    { do: 'company.resume', afterMinutes: 0, companyId: 'karakoram' },
  ]
  const scenario = async () => saved({ ...(await demo()), events })

  test('happen at their instant, however fast the world runs', async () => {
    const open = await server({ SCENARIO: await scenario(), SIM_SPEED: '1000' })
    const { start } = open.simulator.simulation.world
    const happened = () => publishedIn(open, 'company.suspended', 'user.reset-required')
    await open.sim.ask('POST', '/clock', { paused: false })
    while (happened().length < 2) await open.sim.status()
    expect(happened().map(({ at }) => at - start)).toEqual([2.5 * MINUTE, 6.2 * MINUTE])
    expect((await open.sim.ask('GET', '/actions')).map(({ kind }: { kind: string }) => kind)).toEqual([
      'clock.resume',
      'clock.pause',
    ])
  })

  test('happen once, also where the server is left in between and somebody undid what happened', async () => {
    const dir = await folder()
    const source = { SCENARIO: await scenario(), DATA_DIR: dir }
    const first = await startDemo(source)
    const { start } = first.simulator.simulation.world
    await first.sim.advanceTo(start + 4 * MINUTE)
    expect(await first.sim.ask('GET', '/links')).toMatchObject([{ fault: 'delay', milliseconds: 1 }])
    await first.sim.ask('POST', '/companies/karakoram', { suspended: false })
    const { imei } = first.simulator.simulation.world.registration.devices[5] as { imei: string }
    await first.sim.inject(imei, 'offline', 3600)
    const done = await first.sim.ask('GET', '/actions')
    // what is on the disk at this moment is what a power cut would leave: nothing is written while it is copied
    const crashed = join(await folder(), 'crashed')
    const isFile = (path: string) => !path.endsWith('.sock')
    cpSync(dir, crashed, { recursive: true, filter: isFile })
    await first.server.close()

    const open = await server({ ...source, DATA_DIR: crashed })
    expect(await open.sim.ask('GET', '/actions')).toMatchObject([
      { kind: 'clock.pause' },
      ...done.map(({ id, what, at }: { id: string; what: string; at: number }) => ({ id, what, at })),
    ])
    await open.sim.advanceTo(start + 8 * MINUTE)
    expect(
      publishedIn(open, 'company.suspended', 'company.resumed', 'user.reset-required').map(
        ({ at }) => at - start,
      ),
    ).toEqual([2.5 * MINUTE, 4 * MINUTE, 6.2 * MINUTE])
    const [offline] = done
    expect(await open.sim.ask('POST', `/actions/${offline.id}/undo`)).toMatchObject({
      undoneAt: start + 8 * MINUTE,
    })
    await open.sim.reset()
    expect(await open.sim.ask('GET', '/actions')).toEqual([])
  })
})

describe('another scenario', () => {
  test('is opened behind the same port and goes on to its moment; a wrong one changes nothing; it is still there after a restart', async () => {
    const dir = await folder()
    const first = await startDemo({ DATA_DIR: dir })
    const token = await first.signIn('operator@indus.example')
    const { address } = first.server
    const before = await first.sim.advanceTo(first.simulator.simulation.world.start + 1000)
    for (const [body, status] of [
      [{ scenario: 'no-such-one' }, 404],
      [{ scenario: 'quiet-day', at: '1999-01-01T00:00:00Z' }, 400],
      [{ scenario: 'quiet-day', at: 40 * 86_400 }, 400],
    ] as const)
      expect((await first.send('POST', '/sim/open', { body })).status).toBe(status)
    expect(await first.sim.status()).toEqual(before)
    expect((await first.send('GET', '/api/auth/me', { token })).status).toBe(200)

    const names = (await first.sim.ask('GET', '/scenarios')).map(({ name }: { name: string }) => name)
    expect(names).toEqual(expect.arrayContaining(['demo', 'quiet-day']))
    const opened = await first.sim.ask('POST', '/open', {
      scenario: 'quiet-day',
      seed: 5,
      devices: 12,
      at: 1800,
    })
    expect(first.server.address).toBe(address)
    expect(opened).toMatchObject({ scenarioName: 'quiet-day', seed: 5, devices: 12, paused: true })
    expect(opened.journey).toMatchObject({ to: opened.start + 1_800_000 })
    let status = opened
    while (status.journey !== null) status = await first.sim.ask('GET', '/status')
    expect(status.now).toBe(opened.start + 1_800_000)
    expect((await first.send('GET', '/api/auth/me', { token })).status).toBe(401)
    await first.sim.reset()
    expect(await first.sim.status()).toMatchObject({ scenarioName: 'quiet-day', now: opened.start })
    await first.server.close()

    const again = await server({ DATA_DIR: dir })
    expect(await again.sim.status()).toMatchObject({ scenarioName: 'quiet-day', seed: 5, devices: 12 })
  })
})
