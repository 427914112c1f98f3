import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import type { Thing } from '#machines/contracts/entities/devices.ts'
import { model } from '#machines/device-update/device-update.samples.ts'
import { DESK, expect, type Visitor } from '../app.ts'
import { holdBack } from '../held.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** The 'Device Update' window, opened by a pencil in the dashboard's list. */
export const driver: Driver = {
  clock: 'stands',
  viewport: DESK,
  ways: [{ model, enter, isOneVisit: true }],
}

const OUT_OF_ORDER = 'The store cannot write now'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, dashboard, shell, trouble } = visitor
  trouble.allow(/412|503/)
  await startElsewhere(visitor, app.url)
  const { device, other } = await pickedOf(await app.api.fleet())
  const { imei, name } = device
  const otherName = `${name} north`
  let typed = name
  /** of the group that is chosen, or was theirs when it was taken over */
  let group = device.groupName
  const held = await holdBack(page, new RegExp(`/api/things/${imei}$`), 'PUT')
  await shell.follow('/')
  await dashboard.isShown()
  await dashboard.pencil(name)
  const { deviceUpdate, deviceName } = dashboard
  return {
    events: {
      'name.changed': ({ event }) => {
        typed = event.name.trim() === '' ? event.name : otherName
        return deviceName.fill(typed)
      },
      'group.changed': () => {
        group = other.groupName
        return dashboard.chooseGroup(group)
      },
      save: async ({ state }) => {
        await deviceUpdate.getByRole('button', { name: 'Save' }).click()
        if (state.matches('saving')) await held.isHeld()
      },
      close: () => page.keyboard.press('Escape'),
      'xstate.done.actor.saveDevice': async ({ event }) => {
        if (event.output === undefined) {
          await held.release()
          return shell.says('Device updated successfully!')
        }
        const body = { name, groupId: other.groupId ?? '' }
        await app.api.ask(DEVICE_CALLS.updateThing, { params: { imei }, body })
        group = other.groupName
        await held.release()
      },
      'xstate.error.actor.saveDevice': () => held.refuse(503, OUT_OF_ORDER),
    },
    async shows({ state }) {
      if (state.status === 'done') {
        await expect(deviceUpdate).toBeHidden()
        await dashboard.search(imei)
        return expect(dashboard.row(state.matches('saved') ? typed : name)).toBeVisible()
      }
      const { messages, error: shown } = state.context
      await expect(deviceName).toHaveValue(typed)
      await expect(deviceName).toHaveAccessibleDescription(messages.name ?? '')
      await expect(dashboard.deviceGroup).toContainText(group)
      const isTheirs = shown?.startsWith(CHANGED_MEANWHILE) === true
      await expect(deviceUpdate.getByText(CHANGED_MEANWHILE)).toBeVisible({ visible: isTheirs })
      await expect(deviceUpdate.getByText(OUT_OF_ORDER)).toBeVisible({ visible: shown !== null && !isTheirs })
      const word = state.matches('saving') ? 'Saving…' : 'Save'
      await expect(deviceUpdate.getByRole('button', { name: word, exact: true })).toBeVisible()
    },
    async leave() {
      const body = { name, groupId: device.groupId ?? '' }
      await app.api.ask(DEVICE_CALLS.updateThing, { params: { imei }, body })
    },
  }
}

/** A device in a group, and one in another group. */
async function pickedOf(fleet: readonly Thing[]): Promise<{ device: Thing; other: Thing }> {
  const device = fleet.find(({ groupId }) => groupId !== null)
  const other = fleet.find(({ groupId }) => groupId !== null && groupId !== device?.groupId)
  if (device === undefined || other === undefined) throw new Error('The devices are not in two groups')
  return { device, other }
}
