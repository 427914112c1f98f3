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
  isMapDrawn: false,
  ways: [{ model, enter, isOneVisit: true }],
}

const OUT_OF_ORDER = 'The store cannot write now'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, dashboard, shell, trouble } = visitor
  trouble.allow(/412|503/)
  await startElsewhere(visitor, app.url)
  const { device, other, third } = await pickedOf(await app.api.fleet())
  const { imei, name } = device
  const otherName = `${name} north`
  let typed = name
  /** as the device is called while nothing is saved here */
  let known = name
  let timesTheirs = 0
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
        // what was touched is asked about where it is another by then; what was not becomes theirs
        const isMoved = group !== device.groupName
        const body = {
          name: typed === name ? name : `${name} theirs ${++timesTheirs}`,
          groupId: (isMoved ? third : other).groupId ?? '',
        }
        await app.api.ask(DEVICE_CALLS.updateThing, { params: { imei }, body })
        known = body.name
        if (!isMoved) group = other.groupName
        await held.release()
      },
      'xstate.error.actor.saveDevice': () => held.refuse(503, OUT_OF_ORDER),
    },
    async shows({ state }) {
      if (state.status === 'done') {
        await expect(deviceUpdate).toBeHidden()
        await dashboard.search(imei)
        return expect(dashboard.row(state.matches('saved') ? typed : known)).toBeVisible()
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

/** Devices in three groups. */
async function pickedOf(fleet: readonly Thing[]): Promise<{ device: Thing; other: Thing; third: Thing }> {
  const [device, other, third] = new Map(fleet.map((one) => [one.groupId, one])).values().filter(isInGroup)
  if (device === undefined || other === undefined || third === undefined)
    throw new Error('The devices are not in three groups')
  return { device, other, third }
}

const isInGroup = ({ groupId }: Thing): boolean => groupId !== null
