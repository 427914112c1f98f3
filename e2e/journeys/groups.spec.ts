import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { isAccessible, LOOKS } from '../accessible.ts'
import { type App, DESK, expect, OPERATOR, PASSWORD, test, type Visitor } from '../app.ts'
import { GroupsScreen } from '../screens/groups.screen.ts'

test.use({ world: { of: 'groups', devices: 120 }, viewport: DESK, isMapDrawn: false })

test.beforeAll(async ({ app }) => app.sim.pause())

/** A group made beside the portal, with the first devices of another one. */
async function made(app: App, name: string, { devices = 0, parentId = app.api.groupId } = {}) {
  const fleet = await app.api.fleet()
  const things = fleet.filter(({ groupName }) => /Karachi/.test(groupName)).slice(0, devices)
  const group = await app.api.ask(GROUP_CALLS.createGroup, {
    body: {
      name,
      description: '',
      parentId,
      companyId: 'indus',
      things: things.map(({ imei }) => imei),
      ...LIMITS,
    },
  })
  return { group, things }
}
const LIMITS = {
  lowTemperatureThreshold: -30,
  highTemperatureThreshold: 40,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 100,
}

const groupsOf = ({ page }: Visitor) => new GroupsScreen(page)

test('a group is created, with every text that may stand in its way', async ({ signedIn: operator }) => {
  const groups = groupsOf(operator)
  await groups.open()
  await groups.add.click()
  await groups.save.click()
  await expect(groups.name).toBeFocused()
  await expect(groups.name).toHaveAccessibleDescription('This field is required')
  await expect(groups.parent).toHaveAccessibleDescription('Please select a parent group')
  for (const [typed, text] of [
    ['Depot #1', 'Name should be alphanumeric'],
    ['D'.repeat(31), 'Max 30 characters are allowed in name'],
  ] as const) {
    await groups.name.fill(typed)
    await groups.save.click()
    await expect(groups.name).toHaveAccessibleDescription(text)
  }
  await groups.name.fill(' Depot 1 ')
  await groups.description.fill('x'.repeat(201))
  await groups.save.click()
  await expect(groups.description).toHaveAccessibleDescription(
    'Max 200 characters are allowed in description',
  )
  await expect(groups.description).toBeFocused()
  await groups.description.fill('Cold rooms')
  await groups.putBelow('Sindh')
  await expect(groups.threshold('Low temperature')).toHaveValue('0')
  await groups.threshold('Low temperature').fill('8')
  await groups.threshold('High temperature').fill('2')
  await groups.save.click()
  await expect(groups.threshold('High temperature')).toHaveAccessibleDescription(
    'Must not be below the low threshold',
  )
  await groups.threshold('Low temperature').fill('2')
  await groups.threshold('High temperature').fill('8')
  await groups.save.click()
  await expect(operator.shell.toasts.first()).toContainText('Group Created Successfully!')
  await groups.search('Depot 1')
  await expect(groups.row('Depot 1')).toContainText('Cold rooms')
  await expect(groups.row('Depot 1')).toHaveAttribute('aria-level', '3')
})

test('a group is moved, gets devices, and the counts follow in another browser', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  await made(app, 'Harbour')
  const other = groupsOf(await signedIn(newVisitor))
  await other.open()
  await other.search('Harbour')
  await expect(other.count('Harbour', 'TOTAL DEVICES')).toHaveText(/^0/)

  const [device] = await app.api.fleet()
  const groups = groupsOf(operator)
  await groups.open()
  await groups.search('Harbour')
  await groups.edit('Harbour')
  await groups.putBelow('Punjab')
  await groups.pick(device?.name ?? '')
  await expect(operator.page.getByText('1 chosen · 1 added')).toBeVisible()
  await groups.save.click()
  await expect(operator.shell.toasts.first()).toContainText('Group Updated Successfully!')

  await expect(other.count('Harbour', 'TOTAL DEVICES')).toHaveText(/^1/)
  await expect(other.count('Harbour', 'UNASSIGNED DEVICES')).toHaveText(/^1/)
  await expect(other.row('Punjab')).toBeVisible()
  await expect(other.row('Harbour')).toHaveAttribute('aria-level', '3')
})

test('thresholds hold on the dashboard at once, and the history says who set them', async ({
  operator,
  app,
}) => {
  const { group, things } = await made(app, 'Tight', { devices: 1 })
  const [device] = things
  const groups = groupsOf(operator)
  await operator.dashboard.search(device?.imei ?? '')
  await expect(operator.dashboard.line(device?.name ?? '')).not.toContainText('Too hot')
  await operator.shell.goTo('Groups')
  await groups.search('Tight')
  await groups.edit('Tight')
  await groups.threshold('High temperature').fill(String(Math.floor((device?.temperature ?? 0) - 5)))
  await groups.save.click()
  await expect(operator.shell.toasts.first()).toContainText('Group Updated Successfully!')
  await app.sim.advance(1800)
  await operator.shell.goTo('Dashboard')
  await operator.dashboard.search(device?.imei ?? '')
  await expect(operator.dashboard.line(device?.name ?? '')).toContainText('Too hot')

  await groups.openForm(group._id)
  await expect(groups.history.getByRole('listitem').first()).toContainText('Imran Qureshi')
  await expect(groups.history.getByRole('listitem').first()).toContainText(/High temperature40 °C, now .*°C/)
})

test('a group is deleted, and what was in it stays', async ({ signedIn: operator, app }) => {
  const { group } = await made(app, 'Closing', { devices: 2 })
  await made(app, 'Inside', { parentId: group._id })
  const groups = groupsOf(operator)
  await groups.open()
  await groups.search('Closing')
  await groups.askToDelete('Closing')
  await expect(groups.deletion).toContainText('2 devices and 1 group go to Indus Cold Chain')
  await groups.deletion.getByRole('button', { name: 'Cancel' }).click()
  await expect(groups.row('Closing')).toBeVisible()
  await groups.askToDelete('Closing')
  await groups.deletion.getByRole('button', { name: 'Confirm Delete' }).click()
  await expect(operator.shell.toasts.first()).toContainText('Group deleted Successfully')
  await expect(operator.page.getByText('No data Found')).toBeVisible()
  await groups.search('Inside')
  await expect(groups.row('Inside')).toHaveAttribute('aria-level', '2')
  const { things = [] } = await app.api.ask(GROUP_CALLS.group, { params: { id: app.api.groupId } })
  expect(things).toHaveLength(2)
})

test('two who edit the same group both keep what they did', async ({
  signedIn: operator,
  newVisitor,
  app,
}) => {
  const { group } = await made(app, 'Shared')
  const second = await signedIn(newVisitor)
  // The first is told that theirs is not the newest: that is the journey.
  operator.trouble.allow(/412/)
  const mine = groupsOf(operator)
  const theirs = groupsOf(second)
  await mine.openForm(group._id)
  await theirs.openForm(group._id)
  await mine.name.fill('Mine')
  await mine.threshold('Low temperature').fill('-20')
  await theirs.name.fill('Theirs')
  await theirs.description.fill('From the other')
  await theirs.save.click()
  await expect(second.shell.toasts.first()).toContainText('Group Updated Successfully!')

  await mine.save.click()
  await expect(mine.conflict).toContainText('Imran Qureshi saved other values')
  await expect(mine.version('Name', 'Mine')).toBeChecked()
  await expect(mine.version('Description', 'Theirs')).toBeChecked()
  await isAccessible(operator.page)
  await mine.conflict.getByRole('button', { name: 'Back to the form' }).click()
  await expect(mine.name).toHaveValue('Mine')
  await mine.save.click()
  await mine.version('Name', 'Theirs').click()
  await mine.conflict.getByRole('button', { name: 'Save what is chosen' }).click()
  await expect(operator.shell.toasts.first()).toContainText('Group Updated Successfully!')
  const now = await app.api.ask(GROUP_CALLS.group, { params: { id: group._id } })
  expect([now.name, now.description, now.lowTemperatureThreshold]).toEqual(['Theirs', 'From the other', -20])
})

test('leaving what was typed asks, whichever way one goes', async ({ signedIn: operator, app }) => {
  const { group } = await made(app, 'Draft')
  const groups = groupsOf(operator)
  await groups.open()
  await groups.search('Draft')
  await groups.edit('Draft')
  await groups.name.fill('Half typed')
  for (const go of [
    () => operator.page.getByRole('link', { name: 'Temp Observations' }).click(),
    // Not goBack(): that waits until one has gone.
    () => operator.page.evaluate(() => history.back()),
    () => groups.cancel.click(),
  ]) {
    await go()
    await groups.leaving.getByRole('button', { name: 'Stay' }).click()
    await expect(operator.page).toHaveURL(new RegExp(`/groups/${group._id}/update$`))
    await expect(groups.name).toHaveValue('Half typed')
  }
  await operator.page.getByRole('link', { name: 'Temp Observations' }).click()
  await groups.leaving.getByRole('button', { name: 'Leave' }).click()
  await expect(operator.page).toHaveURL(/chiller-observation$/)
  // Who signs out has said that they go.
  await groups.openForm(group._id)
  await groups.name.fill('Half typed')
  await operator.shell.logOut()
  await operator.login.isShown()
})

test('the own group is left alone, and a manager further down sees theirs alone', async ({ newVisitor }) => {
  const lahore = await newVisitor()
  await lahore.login.open()
  await lahore.login.signIn('lahore@indus.example', PASSWORD)
  await lahore.dashboard.isShown()
  const groups = groupsOf(lahore)
  await groups.open()
  await expect(groups.row('Lahore')).toHaveAttribute('aria-level', '1')
  await expect(lahore.page.getByRole('button', { name: 'Delete Lahore', exact: true })).toBeHidden()
  await expect(lahore.page.getByRole('link', { name: 'Edit Lahore', exact: true })).toBeHidden()
  await expect(lahore.page.getByRole('link', { name: 'Edit Lahore Frozen Fleet' })).toBeVisible()
  await expect(groups.row('Karachi')).toBeHidden()
})

for (const { colorScheme, width } of LOOKS)
  test.describe(`${colorScheme}, ${width} px wide`, () => {
    test.use({ colorScheme, viewport: { width, height: 780 } })

    test('groups and their form are accessible', async ({ signedIn: operator }) => {
      const groups = groupsOf(operator)
      await groups.open()
      await isAccessible(operator.page)
      await groups.search('Gilgit-Baltistan')
      await groups.askToDelete('Gilgit-Baltistan')
      await isAccessible(operator.page)
      await operator.page.keyboard.press('Escape')
      await groups.openForm('indus-gilgit')
      await expect(groups.history).toBeVisible()
      await isAccessible(operator.page)
      await groups.openAdd()
      await groups.save.click()
      await isAccessible(operator.page)
    })
  })

async function signedIn(newVisitor: () => Promise<Visitor>): Promise<Visitor> {
  const visitor = await newVisitor()
  await visitor.login.open()
  await visitor.login.signIn(OPERATOR, PASSWORD)
  await visitor.dashboard.isShown()
  await visitor.shell.isLive()
  return visitor
}
