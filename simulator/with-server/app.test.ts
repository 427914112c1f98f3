import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sendFrames } from '../../server/testing/tracker.ts'
import { startDemo } from '../testing/start-demo.ts'

type Open = Awaited<ReturnType<typeof startDemo>>

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const OPERATOR = 'operator@indus.example'
const indus = { groupId: 'indus' }

const fleetOf = async ({ ask }: Open, token: string) =>
  (await ask('observationsLatest', { params: indus, token })).data

const historyOf = ({ ask }: Open, token: string, imei: string, from: number, to: number) =>
  ask('observations', { params: { imei }, token, query: { data: { startDate: from, endDate: to } } })

describe('a server with a small world', () => {
  let open: Open
  let token: string
  beforeAll(async () => {
    open = await startDemo()
    token = await open.signIn(OPERATOR)
  })
  afterAll(() => open.server.close())

  test('is ready, and shows everybody their own devices with what they measure', async () => {
    expect((await open.send('GET', '/readyz')).status).toBe(200)
    const fleet = await fleetOf(open, token)
    const simulated = fleet.filter(({ imei }) => open.simulator.simulation.world.indexOf(imei) !== undefined)
    expect(simulated.length).toBeGreaterThan(20)
    const measuring = simulated.filter(({ timestamp, lat }) => timestamp !== null && lat !== null)
    expect(measuring.length).toBeGreaterThan(simulated.length / 2)

    const karakoram = await open.signIn('operator@karakoram.example')
    const foreign = await open.send('GET', '/api/groups/indus/observations-latest', { token: karakoram })
    expect(foreign.status).toBe(404)
    const lahore = await open.signIn('lahore@indus.example')
    const { data } = await open.ask('observationsLatest', {
      params: { groupId: 'indus-lahore' },
      token: lahore,
    })
    const imeis = new Set(fleet.map(({ imei }) => imei))
    expect(data.length).toBeLessThan(fleet.length)
    expect(data.every(({ imei }) => imeis.has(imei))).toBe(true)
  })

  test('shows what came over HTTP as the newest reading and in the history, once', async () => {
    const { now } = await open.sim.status()
    const [{ imei } = { imei: '' }] = await fleetOf(open, token)
    const reading = { imei, at: now, lat: 31.5, lng: 74.25, temperature: 3.5, humidity: 61 }
    const sent = { headers: { 'x-device-key': 'indus-device-key' }, body: { readings: [reading] } }
    expect(await open.ask('ingest', sent)).toMatchObject({ accepted: 1, duplicates: 0, held: 0, refused: [] })
    expect(await open.ask('ingest', sent)).toMatchObject({ accepted: 0, duplicates: 1, refused: [] })
    await open.server.app.core.settled()

    const device = (await fleetOf(open, token)).find((each) => each.imei === imei)
    expect(device).toMatchObject({ lat: 31.5, lng: 74.25, temperature: 3.5, humidity: 61 })
    expect(device?.timestamp).toBe(new Date(now).toISOString())
    const { points } = await historyOf(open, token, imei, now, now)
    expect(points).toMatchObject([{ temperature: 3.5, humidity: 61, lat: 31.5, lng: 74.25 }])
  })

  test('tells whoever runs it what came in, what did not, and who is connected', async () => {
    const { now } = await open.sim.status()
    const readings = [
      { imei: '352093024171000', at: now, temperature: 3 },
      { imei: '352093024171000', at: now, temperature: 3 },
      { imei: '000000000000000', at: now },
    ]
    await open.ask('ingest', { headers: { 'x-device-key': 'indus-device-key' }, body: { readings } })
    const frames = sendFrames(open.server.trackerPorts.teltonika, '352093024172370', [
      [now],
      [now + 1, now + 2],
    ])
    await frames.next()
    await frames.next()
    const { text } = await open.send('GET', '/metrics')
    const figure = (name: string) =>
      Number(
        text
          .split('\n')
          .find((l) => l.startsWith(`${name} `))
          ?.split(' ')
          .at(-1),
      )
    expect(figure('ingest_waiting_readings')).toBe(0)
    expect(figure('ingest_accepted_readings_total')).toBeGreaterThan(1000)
    expect(figure('ingest_duplicate_readings_total')).toBeGreaterThan(0)
    expect(figure('ingest_refused_total{reason="unknown device"}')).toBe(1)
    expect(figure('teltonika_connections')).toBe(1)
    expect(figure('teltonika_frames_total')).toBe(2)
    expect(figure('teltonika_records_total')).toBe(3)
    expect(figure('teltonika_faults_total')).toBe(0)
    expect(figure('socket_links{kind="live"}')).toBe(0)
    expect(figure('judge_lag')).toBeLessThan(10)
    expect(figure('store_writable')).toBe(1)
    expect(figure('store_uncompacted_readings')).toBeGreaterThanOrEqual(0)
    expect(figure('world_running')).toBe(1)
    expect(figure('world_messages_total')).toBe((await open.sim.status()).messagesSent)
    await frames.return(undefined)
  })

  test('tells of a box whose compressor was switched off, and that it ends', async () => {
    const { log } = open.server.app.core.store
    const warmable = open.simulator.simulation.world.registration.devices.filter(
      ({ fleet }) => fleet.companyId === 'indus' && fleet.groupId.endsWith('-frozen'),
    )
    const before = await fleetOf(open, token)
    const calm = warmable.find(({ imei }) =>
      before.some(
        (device) => device.imei === imei && device.temperature !== null && device.temperature < -15,
      ),
    )
    const imei = calm?.imei as string
    const { id } = await open.sim.inject(imei, 'compressor-off', 3 * 3600)
    const { now } = await open.sim.status()
    await open.sim.advanceTo(now + 100 * MINUTE)

    const opened = log
      .readFacts(0, { types: ['violation.opened'], limit: 1e6 })
      .filter((fact) => fact.type === 'violation.opened' && fact.data.imei === imei && fact.at > now)
    expect(opened).toMatchObject([{ data: { type: 'HIGH_TEMPERATURE_DETECTED' } }])
    const warm = (await fleetOf(open, token)).find((device) => device.imei === imei)
    expect(warm?.temperature).toBeGreaterThan(-10)
    expect(await open.sim.ask('GET', `/faults/${id}`)).toMatchObject({ imei, fault: 'compressor-off' })
    const page = await open.ask('notifications', {
      params: indus,
      token,
      body: { startDate: now, endDate: now + 100 * MINUTE, things: [imei] },
    })
    expect(page.notificationsCount).toBeGreaterThan(0)

    expect((await open.send('DELETE', `/sim/faults/${id}`)).status).toBe(204)
    expect((await open.send('DELETE', `/sim/faults/${id}`)).status).toBe(404)
  })

  test('turns away whom the director turned away', async () => {
    let theirs = await open.signIn('operator@karakoram.example')
    const asks = () => open.send('GET', '/api/groups/karakoram/observations-latest', { token: theirs })
    expect((await asks()).status).toBe(200)
    await open.sim.ask('POST', '/companies/karakoram', { suspended: true })
    expect((await asks()).status).toBe(401)
    await open.sim.ask('POST', '/companies/karakoram', { suspended: false })
    expect((await asks()).status, 'they sign in anew').toBe(401)
    theirs = await open.signIn('operator@karakoram.example')
    expect((await asks()).status).toBe(200)
    await open.sim.ask('POST', '/users/operatorkarakoram', { logout: true })
    expect((await asks()).status).toBe(401)
  })
})

describe('a server that is left and entered again', () => {
  let open: Open
  let folder: string
  afterEach(async () => {
    await open.server.close()
    await rm(folder, { recursive: true, force: true })
  })

  test('goes on as one that stood all the time: readings, faults, people', async () => {
    folder = await mkdtemp(join(tmpdir(), 'frostline-app-'))
    const steady = await startDemo()
    open = await startDemo({ DATA_DIR: folder })
    const { start } = open.simulator.simulation.world
    for (const { sim } of [steady, open]) await sim.advanceTo(start + MINUTE)
    const token = await open.signIn(OPERATOR)
    const [{ imei } = { imei: '' }] = await fleetOf(open, token)
    const faults = await Promise.all([steady, open].map(({ sim }) => sim.inject(imei, 'door-open', 3600)))
    await open.sim.advanceTo(start + 2 * MINUTE)
    await open.server.close()

    open = await startDemo({ DATA_DIR: folder })
    expect(await open.sim.ask('GET', '/faults')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ id: faults[1]?.id, imei, fault: 'door-open' })]),
    )
    const [expected, status] = await Promise.all(
      [steady, open].map(({ sim }) => sim.advanceTo(start + 10 * MINUTE)),
    )
    expect(status).toEqual(expected)
    // who was signed in still is
    const fleet = await fleetOf(open, token)
    const steadyFleet = await fleetOf(steady, await steady.signIn(OPERATOR))
    expect(fleet).toEqual(steadyFleet)
    await steady.server.close()
  })

  test('shows after a crash what it showed before, whatever the store has tidied away', async () => {
    folder = await mkdtemp(join(tmpdir(), 'frostline-app-'))
    open = await startDemo({ DATA_DIR: join(folder, 'running') })
    const { core } = open.server.app
    await open.sim.advanceTo(open.simulator.simulation.world.start + 3 * HOUR)
    while (await core.tidyUp());
    const token = await open.signIn(OPERATOR)
    const shown = await fleetOf(open, token)
    // what is on the disk at this moment is what a power cut would leave
    const isFile = (path: string) => !path.endsWith('.sock')
    await cp(join(folder, 'running'), join(folder, 'crashed'), { recursive: true, filter: isFile })
    const crashed = await startDemo({ DATA_DIR: join(folder, 'crashed') })
    await crashed.sim.advanceTo(open.simulator.simulation.clock.now())
    expect(await fleetOf(crashed, token)).toEqual(shown)
    await crashed.server.close()
  })

  test('and one that is reset begins as it began', async () => {
    folder = await mkdtemp(join(tmpdir(), 'frostline-app-'))
    open = await startDemo({ DATA_DIR: folder })
    const { address } = open.server
    const { start } = open.simulator.simulation.world
    await open.sim.advanceTo(start + MINUTE)
    const begun = await open.sim.status()
    const token = await open.signIn(OPERATOR)
    const [{ imei } = { imei: '' }] = await fleetOf(open, token)
    await open.sim.inject(imei, 'offline', 3600)
    await open.ask('updateThing', {
      params: { imei },
      token,
      body: { groupId: 'indus-lahore-chilled', name: 'Renamed' },
    })
    await open.sim.advanceTo(start + 5 * MINUTE)

    await open.sim.reset()
    expect(open.server.address).toBe(address)
    expect(await open.sim.advanceTo(start + MINUTE)).toEqual(begun)
    const old = await open.send('GET', '/api/groups/indus/observations-latest', { token })
    expect(old.status).toBe(401)
    const fleet = await fleetOf(open, await open.signIn(OPERATOR))
    expect(fleet.map(({ name }) => name)).not.toContain('Renamed')
  })
})

test('a day that is half asked of the past and half received is told as one', async () => {
  const open = await startDemo()
  const { world, liveFrom } = open.simulator.simulation
  const token = await open.signIn(OPERATOR)
  const { now } = await open.sim.advanceTo(world.start + 30 * MINUTE)
  const from = liveFrom - 12 * HOUR
  const live = new Map<number, number[]>()
  for (const { imei } of await fleetOf(open, token)) {
    const { points } = await historyOf(open, token, imei, from, now)
    const index = world.indexOf(imei)
    if (index !== undefined)
      live.set(
        index,
        points.map(({ dateTime }) => Date.parse(dateTime)),
      )
  }
  await open.server.close()

  world.reset()
  world.resume(liveFrom)
  const { readings } = world.advance(now)
  for (const [index, times] of live) {
    const past = world.history(index, from, liveFrom)
    const expected = new Set(past.at.slice(0, past.length))
    for (let i = 0; i < readings.length; i++) {
      const at = readings.at[i] as number
      if (readings.device[i] === index && at >= from && at <= now) expected.add(at)
    }
    expect(times).toEqual([...expected].sort((a, b) => a - b))
  }
  expect(live.size).toBeGreaterThan(20)
})

test('a start says which world the panel opened in place of the one that is named, and the way back', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'frostline-opened-'))
  const greetingOf = (open: Open) => open.simulator.greeting({ teltonika: 1, gt06: 2 }).join('\n')
  try {
    const first = await startDemo({ DATA_DIR })
    expect(greetingOf(first)).not.toContain('in place of')
    await first.sim.ask('POST', '/open', { scenario: 'dairy-dawn', devices: 12 })
    await first.server.close()
    const second = await startDemo({ DATA_DIR })
    expect(greetingOf(second)).toMatch(/It is dairy-dawn, .* in place of demo\.\nIt stays so at each start/)
    await second.server.close()
    const named = await startDemo({ DATA_DIR, SCENARIO: 'demo' })
    expect(greetingOf(named)).toMatch(/It is dairy-dawn.*\nSCENARIO is not followed/)
    expect(greetingOf(named)).toMatch(
      /For demo: open it in the panel \(key D, World\), or start with an empty/,
    )
    await named.server.close()
    // opened.json as it was written before, in a folder that was moved since
    const file = join(DATA_DIR, 'opened.json')
    const kept = await readFile(file, 'utf8')
    expect(JSON.parse(kept).opened.scenario).toBe('fixtures/scenarios/dairy-dawn.json')
    await writeFile(
      file,
      kept.replace('fixtures/scenarios/dairy-dawn', '/gone/fixtures/scenarios/dairy-dawn'),
    )
    const moved = await startDemo({ DATA_DIR })
    expect(await moved.sim.status()).toMatchObject({
      scenarioName: 'dairy-dawn',
      isShipped: true,
      devices: 12,
    })
    await moved.server.close()
  } finally {
    await rm(DATA_DIR, { recursive: true })
  }
})

test('a scenario that is not there, or is none, is refused in words, with what there is', async () => {
  const start = (SCENARIO: string) => whyNot(startDemo({ DATA_DIR: ':memory:', SCENARIO }))
  expect(await start('dairy-dwn')).toMatch(
    /^SCENARIO names fixtures\/scenarios\/dairy-dwn\.json, which is no file\. It takes the path of one, or a name: dairy-dawn, demo, /,
  )
  expect(await start('./package.json')).toMatch(
    /^SCENARIO is not right: .*package\.json: .*\nTo try it again: npm run scenarios -- --check \.\/package\.json$/,
  )
  const dir = await mkdtemp(join(tmpdir(), 'frostline-own-'))
  try {
    const own = join(dir, 'own.json')
    const demo = await readFile('fixtures/scenarios/demo.json', 'utf8')
    await writeFile(own, JSON.stringify({ ...JSON.parse(demo), corridorFiles: ['roads.json'] }))
    expect(await start(own)).toMatch(
      /^SCENARIO is not right: .*own\.json: at corridorFiles\.0: there is no file roads\.json/,
    )
  } finally {
    await rm(dir, { recursive: true })
  }
})

test('a data folder holds one world: another that is asked for is refused with the ways on, and the first goes on as it was', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'frostline-other-'))
  try {
    const first = await startDemo({ DATA_DIR })
    const accounts = await first.ask('demoAccounts')
    await first.server.close()
    const refusal = await whyNot(startDemo({ DATA_DIR, SCENARIO: 'dairy-dawn' }))
    expect(refusal.split('\n')).toEqual([
      `The data folder ${DATA_DIR} holds the world "Pakistan, a working summer, seed 2026". Asked for is dairy-dawn, "A dairy at dawn, seed 418". Nothing was changed.`,
      '  To go on with the one it holds: npm start',
      `  To have dairy-dawn beside it: DATA_DIR=${DATA_DIR}-dairy-dawn SCENARIO=dairy-dawn DEVICES=40 npm start`,
      '  To have dairy-dawn in its place: open it in the panel of the one it holds (key D, World), or remove the folder',
    ])
    const again = await startDemo({ DATA_DIR })
    expect(await again.ask('demoAccounts')).toEqual(accounts)
    // nobody of the other world was let in on the way
    await expect(again.signIn('operator@chenab.example')).rejects.toThrow(/ 401 /)
    await again.server.close()
  } finally {
    await rm(DATA_DIR, { recursive: true })
  }
})

/** What a start says that does not come up. */
const whyNot = (start: Promise<unknown>): Promise<string> =>
  start.then(
    () => 'it came up',
    (error: Error) => error.message,
  )
