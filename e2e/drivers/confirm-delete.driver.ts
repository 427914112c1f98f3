import { model } from '#machines/confirm-delete/confirm-delete.samples.ts'
import { expect, type Visitor } from '../app.ts'
import { groupNamed } from '../company.ts'
import { holdBack } from '../held.ts'
import { GroupsScreen } from '../screens/groups.screen.ts'
import { startElsewhere } from '../visit.ts'
import type { Driver, DriverApp, Scene } from './driver.ts'

/** 'Delete Record?', of a group. */
export const driver: Driver = { clock: 'stands', ways: [{ model, enter, isOneVisit: true }] }

const NAME = 'Closing down'
const OUT_OF_ORDER = 'The store cannot write now'

async function enter(visitor: Visitor, app: DriverApp): Promise<Scene> {
  const { page, shell, trouble } = visitor
  trouble.allow(/503/)
  await startElsewhere(visitor, app.url)
  const { _id: id } = await groupNamed(app.api, NAME)
  const held = await holdBack(page, new RegExp(`/api/groups/${id}$`), 'DELETE')
  const groups = new GroupsScreen(page)
  await shell.follow('/groups')
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
