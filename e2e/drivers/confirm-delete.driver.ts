import { model } from '#machines/confirm-delete/confirm-delete.samples.ts'
import { expect, OPERATOR, PASSWORD, type Visitor } from '../app.ts'
import { groupNamed } from '../company.ts'
import { holdBack } from '../held.ts'
import { GroupsScreen } from '../screens/groups.screen.ts'
import { bringSession } from '../session.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** 'Delete Record?', of a group. */
export const driver: Driver = { clock: 'stands', ways: [{ model, enter, isOneVisit: true }] }

const NAME = 'Closing down'
const OUT_OF_ORDER = 'The store cannot write now'

async function enter({ page, shell, trouble }: Visitor, app: DriverApp): Promise<Scene> {
  trouble.allow(/503/)
  const { _id: id } = await groupNamed(app.api, NAME)
  await bringSession(page, app.url, OPERATOR, PASSWORD)
  const held = await holdBack(page, new RegExp(`/api/groups/${id}$`), 'DELETE')
  const groups = new GroupsScreen(page)
  await groups.open()
  await groups.search(NAME)
  await groups.askToDelete(NAME)
  return {
    events: {
      confirm: async () => {
        await groups.deletion.getByRole('button', { name: 'Confirm Delete' }).click()
        await held.isHeld()
      },
      cancel: () => groups.deletion.getByRole('button', { name: 'Cancel' }).click(),
      'xstate.done.actor.deleteRecord': async () => {
        await held.release()
        await shell.says('Group deleted Successfully')
      },
      'xstate.error.actor.deleteRecord': () => held.refuse(503, OUT_OF_ORDER),
    },
    async shows({ state }) {
      if (state.status === 'done') {
        await expect(groups.deletion).toBeHidden()
        return expect(groups.row(NAME)).toHaveCount(state.matches('deleted') ? 0 : 1)
      }
      const press = groups.deletion.getByRole('button', {
        name: state.matches('deleting') ? 'Deleting…' : 'Confirm Delete',
      })
      await expect(press).toBeVisible()
      await expect(groups.deletion.getByRole('alert')).toHaveText(state.matches('failed') ? OUT_OF_ORDER : '')
    },
  }
}
