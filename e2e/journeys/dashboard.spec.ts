import type { Thing } from '#machines/contracts/entities/devices.ts'
import { DESK, expect, IN_MOTION, test } from '../app.ts'

test.use({ world: { of: 'dashboard', devices: 160 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

test('what the dashboard shows is what the API answers', async ({ operator, app }) => {
  const fleet = await app.api.fleet()
  await expect.poll(() => operator.dashboard.count('Total')).toBe(fleet.length)
  for (const [word, status] of [
    ['Online', 'online'],
    ['Offline', 'offline'],
    ['Disconnected', 'disconnected'],
  ] as const)
    await expect
      .poll(() => operator.dashboard.count(word), word)
      .toBe(fleet.filter(({ thingStatus }) => thingStatus === status).length)
  for (const device of fleet.filter(({ temperature }) => temperature !== null).slice(0, 5)) {
    await operator.dashboard.search(device.imei)
    const { temperature, humidity } = await operator.dashboard.reading(device.name)
    expect(temperature).toBeCloseTo(device.temperature as number, 0)
    if (device.humidity !== null) expect(humidity).toBeCloseTo(device.humidity, 1)
  }
})

test('devices move and their cargo warms and cools as time passes', async ({ operator, app }) => {
  const before = await app.api.fleet()
  await app.sim.advance(60)
  const after = new Map((await app.api.fleet()).map((device) => [device.imei, device]))
  const moving = before.find(({ imei, type, lat }) => type === 'vehicle' && after.get(imei)?.lat !== lat)
  if (moving === undefined) throw new Error('Nothing moved in a minute of the world')
  const { name, imei } = moving
  await operator.dashboard.select(name)
  const position = operator.dashboard.position
  const places: string[] = []
  for (let minute = 0; minute < 3; minute++) {
    const now = (await app.api.fleet()).find((device) => device.imei === imei)
    await expect(position).toHaveAttribute('title', `${now?.lat?.toFixed(5)}, ${now?.lng?.toFixed(5)}`)
    const shown = await operator.dashboard.reading(name)
    expect(shown.temperature).toBeCloseTo(now?.temperature as number, 0)
    places.push((await position.getAttribute('title')) ?? '')
    await app.sim.advance(60)
  }
  expect(new Set(places).size).toBeGreaterThan(1)
})

test('picking a group leaves its devices and those of the groups below', async ({ operator, app }) => {
  const fleet = await app.api.fleet()
  const lahore = fleet.filter(({ groupId }) => groupId?.startsWith('indus-lahore'))
  expect(lahore.length).toBeGreaterThan(0)
  expect(lahore.length).toBeLessThan(fleet.length)
  await operator.dashboard.pickGroups('Lahore')
  await expect.poll(() => operator.dashboard.count('Total')).toBe(lahore.length)
  await expect(operator.dashboard.rows.first()).toHaveAttribute('aria-setsize', `${lahore.length}`)
  const outside = fleet.find(({ groupId }) => !groupId?.startsWith('indus-lahore'))
  await operator.dashboard.search(outside?.imei ?? '')
  await expect(operator.page.getByText('No data Found')).toBeVisible()
  await operator.page.getByRole('button', { name: 'Show all devices' }).click()
  await expect.poll(() => operator.dashboard.count('Total')).toBe(fleet.length)
})

test('picking devices leaves them alone', async ({ operator, app }) => {
  const [first, second] = await app.api.fleet()
  if (first === undefined || second === undefined) throw new Error('The fleet is too small')
  await operator.dashboard.pickDevices(first.name, second.name)
  await expect(operator.dashboard.rows).toHaveCount(2)
  await expect(operator.dashboard.row(first.name)).toBeVisible()
  await expect(operator.dashboard.row(second.name)).toBeVisible()
})

test('a press on a status leaves the devices that have it', async ({ operator, app }) => {
  const offline = (await app.api.fleet()).filter(({ thingStatus }) => thingStatus === 'offline')
  await operator.dashboard.stats.getByRole('button', { name: /Offline$/ }).click()
  if (offline.length === 0) await expect(operator.page.getByText('No data Found')).toBeVisible()
  else await expect(operator.dashboard.rows.first()).toHaveAttribute('aria-setsize', `${offline.length}`)
})

test('a device is found by name, IMEI or plate number', async ({ operator, app }) => {
  const device = (await app.api.fleet()).find(({ plateNumber }) => plateNumber !== '')
  if (device === undefined) throw new Error('No device has a plate number')
  for (const words of [device.name, device.imei, device.plateNumber]) {
    await operator.dashboard.search(words)
    await expect(operator.dashboard.rows.first()).toContainText(device.name)
  }
})

test('a device without a temperature says N/A', async ({ operator, app }) => {
  const silent = (await app.api.fleet()).find(
    ({ name, temperature }) => /^Trial/.test(name) && temperature === null,
  )
  if (silent === undefined) throw new Error('Every device measures a temperature')
  await operator.dashboard.search(silent.name)
  await expect(operator.dashboard.line(silent.name)).toContainText('N/A')
})

test('renamed and moved, a device is so on every screen without a reload', async ({
  operator,
  newVisitor,
  app,
}) => {
  const device = (await app.api.fleet()).find(({ groupName }) => groupName === 'Lahore Frozen Fleet')
  if (device === undefined) throw new Error('The Lahore Frozen Fleet is empty')
  const other = await newVisitor()
  await other.login.open()
  await other.login.pickDemoAccount('operator@indus.example')
  await other.dashboard.isShown()
  await other.shell.isLive()
  await other.dashboard.search(device.imei)
  await expect(other.dashboard.row(device.name)).toBeVisible()

  await operator.dashboard.pencil(device.name)
  await operator.dashboard.rename({ name: 'Renamed by a colleague', group: 'Lahore Chilled Fleet' })
  for (const { dashboard } of [operator, other]) {
    await dashboard.search(device.imei)
    await dashboard.line('Renamed by a colleague').click()
    await expect(dashboard.detail('Group')).toHaveText('Lahore Chilled Fleet')
  }
  const fromServer = (await app.api.fleet()).find(({ imei }) => imei === device.imei)
  expect(fromServer).toMatchObject({ name: 'Renamed by a colleague', groupName: 'Lahore Chilled Fleet' })
})

test.describe('on the map', () => {
  test.use({ isMapDrawn: true, contextOptions: IN_MOTION })

  test('what is searched for is what list and map show, and where the map looks', async ({
    operator,
    app,
  }) => {
    const device = standingAlone(await app.api.fleet())
    const opened = await operator.dashboard.opened()
    await operator.dashboard.search(device.imei)
    await expect(operator.dashboard.rows).toHaveCount(1)
    await expect.poll(() => operator.dashboard.zoom()).toBeGreaterThan(opened + 2)
    await expect
      .poll(async () => (await operator.dashboard.onMap()).filter((text) => !/°C|N\/A/.test(text)))
      .toEqual([device.name])
    await expect.poll(() => operator.dashboard.count('Total')).toBe(1)
    await operator.dashboard.search('')
    await expect.poll(() => operator.dashboard.zoom()).toBeLessThan(opened + 0.5)
  })

  test('selected in the list, a device is flown to on the map, with name, temperature and marker info', async ({
    operator,
    app,
  }) => {
    const device = (await app.api.fleet()).find(
      ({ type, temperature, lat }) => type === 'vehicle' && temperature !== null && lat !== null,
    )
    if (device === undefined) throw new Error('No vehicle measures a temperature')
    await operator.dashboard.select(device.name)
    await expect(operator.dashboard.markerCard).toBeVisible()
    await expect(operator.dashboard.markerCard).toContainText(device.name)
    const temperature = `${(device.temperature as number).toFixed(1).replace('-', '\u2212')} °C`
    await expect(operator.dashboard.markerCard).toContainText(temperature)
    await expect(operator.dashboard.markerCard.getByRole('link', { name: 'Map search' })).toHaveAttribute(
      'href',
      new RegExp(`query=${device.lat},${device.lng}$`),
    )
    await operator.dashboard.letGo()
    await operator.dashboard.comeNear()
    await expect
      .poll(() => operator.dashboard.onMap())
      .toEqual(expect.arrayContaining([device.name, temperature]))
  })

  test('selected on the map, a device comes into view in the list', async ({ operator, app }) => {
    const device = standingAlone(await app.api.fleet())
    await operator.dashboard.select(device.name)
    await operator.dashboard.search('')
    // Emptied while the map goes along, the search leaves it where it is; only then it is let go of.
    await expect(operator.dashboard.rows).not.toHaveCount(1)
    await operator.dashboard.letGo()
    await operator.dashboard.comeNear()
    await expect.poll(() => operator.dashboard.onMap()).toContain(device.name)
    await operator.dashboard.map.click()
    await expect(operator.dashboard.line(device.name)).toHaveAttribute('aria-current', 'true')
    await expect(operator.dashboard.line(device.name)).toBeInViewport()
  })

  test('the map answers to its buttons', async ({ operator }) => {
    const opened = await operator.dashboard.opened()
    await operator.page.getByRole('button', { name: 'Zoom in' }).click()
    await expect.poll(() => operator.dashboard.zoom()).toBeCloseTo(opened + 1, 3)
    await operator.page.getByRole('button', { name: 'What the signs mean' }).click()
    const legend = operator.page.getByRole('dialog', { name: 'What the signs mean' })
    const states = ['Too hot', 'Too cold', 'Too humid', 'Too dry', 'Disconnected', 'Offline', 'Fine']
    for (const word of [...states, 'Warehouse', 'Budget at risk', 'Budget exhausted'])
      await expect(legend.getByText(word, { exact: true })).toBeVisible()
  })

  test('pressed three times in a row, Zoom in goes three steps', async ({ operator }) => {
    const opened = await operator.dashboard.opened()
    const nearer = operator.page.getByRole('button', { name: 'Zoom in' })
    for (let step = 0; step < 3; step++) await nearer.click()
    await expect.poll(() => operator.dashboard.zoom()).toBeCloseTo(opened + 3, 3)
  })
})

/** A device no other is near to, so that the map's middle is its own when it is flown to. */
function standingAlone(fleet: readonly Thing[]): Thing {
  const found = fleet.find((one) => fleet.every((other) => other === one || apart(one, other) > 0.05))
  if (found === undefined) throw new Error('No device stands alone')
  return found
}

/** degrees; what has no place is never far enough */
function apart(a: Thing, b: Thing): number {
  if (a.lat === null || a.lng === null) return 0
  if (b.lat === null || b.lng === null) return Number.POSITIVE_INFINITY
  return Math.hypot(a.lat - b.lat, a.lng - b.lng)
}

test.describe('on a phone', () => {
  test.use({ isMapDrawn: true, viewport: { width: 390, height: 844 } })

  test('the words of who made the land wait behind their sign, from the first picture on', async ({
    visitor,
    signedInAt,
  }) => {
    await visitor.page.addInitScript(() => {
      const look = (): void => {
        if (document.querySelector('.maplibregl-compact-show')) Object.assign(window, { wereOpen: true })
        requestAnimationFrame(look)
      }
      look()
    })
    const { page, dashboard } = await signedInAt('/')
    await dashboard.landIsThere()
    const sources = page.getByText('GeoNames')
    await expect(sources).toBeHidden()
    expect(await page.evaluate(() => 'wereOpen' in window)).toBe(false)
    await page.getByLabel('Toggle attribution').click()
    await expect(sources).toBeVisible()
  })
})
