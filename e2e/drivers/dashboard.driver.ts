import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { DashboardFilters } from '#machines/dashboard/dashboard.machine.ts'
import { model } from '#machines/dashboard/dashboard.samples.ts'
import { DESK, expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { bringSession } from '../session.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** How much is narrowed, so that several filters come one after the other on a path. */
const narrowed = {
  ...model,
  serializeState: ({ value, context }: { value: unknown; context: DashboardFilters }) =>
    JSON.stringify([
      value,
      [context.groups, context.devices, context.status].filter((picked) => picked !== 'all').length,
    ]),
}

/** List and map of the fleet. What is picked leaves out others, so that the selected device stays in view. */
export const driver: Driver = {
  clock: 'stands',
  isApart: true,
  viewport: DESK,
  ways: [{ model: narrowed, enter }],
}

async function enter({ page, dashboard }: Visitor, app: DriverApp): Promise<Scene> {
  const [one, other, third] = threeOf(await app.api.fleet())
  const own = await app.api.ask(GROUP_CALLS.group, { params: { id: app.api.groupId } })
  const leftOut = leavesOf(own).find(({ _id }) => _id !== one.groupId)
  const nameOf = (imei: string) => (imei.endsWith('2') ? other : one).name
  let selected = ''
  let isNarrowed = false
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  await page.goto('/')
  await dashboard.isShown()
  return {
    events: {
      'groups.pick': () => dashboard.toggleGroup(leftOut?.name ?? ''),
      'devices.pick': async () => {
        // the first that is picked out of all is alone
        const names = isNarrowed
          ? [third.name]
          : selected.endsWith('2')
            ? [other.name, one.name]
            : [one.name, other.name]
        isNarrowed = true
        for (const name of names) await dashboard.toggleDevice(name)
      },
      'status.pick': () => dashboard.stats.getByRole('button', { name: /Online$/ }).click(),
      'words.type': ({ event }) => dashboard.search(event.words === '' ? '' : nameOf(selected)),
      'filters.clear': async () => {
        await dashboard.search(nameOf(selected))
        await page.getByRole('button', { name: 'Show all devices' }).click()
        isNarrowed = false
      },
      'device.select': ({ event }) => {
        selected = event.imei
        return dashboard.select(nameOf(selected))
      },
      'selection.clear': () => page.keyboard.press('Escape'),
      'selection.lost': () => dashboard.toggleDevice(isNarrowed ? nameOf(selected) : third.name),
      'map.moved': () => dashboard.dragMap(),
      'map.follow': () => dashboard.follow.click(),
      'map.reset': () => page.getByRole('button', { name: 'Reset the map' }).click(),
    },
    async shows({ state }) {
      const { selected: imei, status } = state.context
      const current = dashboard.list.locator('[aria-current=true]')
      if (imei === null) await expect(current).toHaveCount(0)
      else await expect(dashboard.line(nameOf(imei))).toHaveAttribute('aria-current', 'true')
      await expect(dashboard.follow).toBeVisible({ visible: state.matches({ selected: 'left alone' }) })
      await expect(dashboard.stats.getByRole('button', { name: /Online$/ })).toHaveAttribute(
        'aria-pressed',
        `${status !== 'all'}`,
      )
    },
  }
}

/** Two devices that are seen on the map and in the same group, and a third. */
function threeOf(fleet: readonly Thing[]): [one: Thing, other: Thing, third: Thing] {
  const seen = fleet.filter(({ thingStatus, lat }) => thingStatus === 'online' && lat !== null)
  for (const one of seen) {
    const other = seen.find((device) => device !== one && device.groupId === one.groupId)
    const third = fleet.find((device) => device !== one && device !== other)
    if (one.groupId !== null && other && third) return [one, other, third]
  }
  throw new Error('No group has two devices online')
}

/** The groups with none below them. */
function leavesOf(group: Group): Group[] {
  return group.child.length === 0 ? [group] : group.child.flatMap(leavesOf)
}
