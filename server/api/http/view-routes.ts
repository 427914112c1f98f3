import type { SavedView } from '#machines/contracts/entities/views.ts'
import { type View, viewsOf } from '#machines/projections/views.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { authorName } from '../../commands/notifications/in-scope.ts'
import { newId } from '../../commands/repeatable.ts'
import { isManager, mayRemoveView, removeView, saveView, viewStream } from '../../commands/views/views.ts'
import type { HttpContext } from './context.ts'
import { refusal } from './refusals.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'execute' | 'readModels'>

/** Pages saved by name. */
export function viewRoutes({ answerCall, execute, readModels: { directory } }: Deps): void {
  const answerOf = (visitor: Visitor, view: View): SavedView => ({
    _id: view.viewId,
    name: view.name,
    path: view.path,
    isGroups: view.groupId !== null,
    savedBy: authorName(directory, view.userId),
    savedAt: new Date(view.savedAt).toISOString(),
    mayRemove: mayRemoveView(directory, visitor, view),
  })
  const listFor = (visitor: Visitor) => ({
    views: [null, visitor.groupId].flatMap((groupId) =>
      viewsOf(directory.views, { ...visitor, groupId })
        .toSorted((a, b) => a.name.localeCompare(b.name))
        .map((view) => answerOf(visitor, view)),
    ),
    savesForGroup: isManager(directory, visitor),
  })

  answerCall('views', ({ visitor }) => listFor(visitor))

  answerCall('saveView', async ({ body: { name, path, isGroups = false }, visitor }) => {
    const { userId, groupId } = visitor
    const { refused } = await execute(
      viewStream({ userId, groupId: isGroups ? groupId : null }),
      { type: 'view.save', by: userId, data: { viewId: newId('vw'), name, path, isGroups } },
      (state, command) => saveView(state, command, visitor),
    )
    if (refused) throw refusal(refused)
    return listFor(visitor)
  })

  answerCall('removeView', async ({ params: { viewId }, visitor }) => {
    const view = directory.views.get(viewId)
    const { refused } = await execute(
      viewStream({ userId: visitor.userId, groupId: view?.groupId ?? null }),
      { type: 'view.remove', by: visitor.userId, data: { viewId } },
      (state, command) => removeView(state, command, visitor),
    )
    if (refused) throw refusal(refused)
    return listFor(visitor)
  })
}
