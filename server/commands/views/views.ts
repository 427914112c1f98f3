import type { CommandOf } from '#machines/contracts/commands.ts'
import type { Directory } from '#machines/projections/directory.ts'
import { type View, type ViewOwner, viewsOf } from '#machines/projections/views.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { type Decision, decided, NOT_FOUND, refuse } from '../decision.ts'
import { originOf } from '../structure.ts'

const MOST_OWN = 50
const MOST_OF_GROUP = 100

export const TOO_MANY_VIEWS = 'There are as many views as there may be: remove one first'
export const MANAGERS_SAVE = 'Views of the group are saved by its managers'

export type Viewer = Pick<Visitor, 'userId' | 'companyId' | 'groupId' | 'superAdmin'>

/** Where it is decided about views, one after the other: those of somebody, or of a group. */
export const viewStream = ({ userId, groupId }: Pick<ViewOwner, 'userId' | 'groupId'>): string =>
  `views-${groupId ?? userId}`

/** Whoever saved a view, and of the group's its managers. */
export const mayRemoveView = (directory: Pick<Directory, 'users'>, viewer: Viewer, view: View): boolean =>
  view.userId === viewer.userId || (view.groupId !== null && isManager(directory, viewer))

/** A view of the same name is the same view: what was saved under it is forgotten. */
export function saveView(directory: Directory, command: CommandOf<'view.save'>, viewer: Viewer): Decision {
  const { viewId, name, path, isGroups } = command.data
  if (isGroups && !isManager(directory, viewer)) return refuse(403, MANAGERS_SAVE)
  const owner: ViewOwner = { ...ownerOf(viewer), groupId: isGroups ? viewer.groupId : null }
  const views = viewsOf(directory.views, owner)
  const wanted = name.trim()
  const same = views.find((view) => view.name.toLowerCase() === wanted.toLowerCase())
  if (same?.name === wanted && same.path === path) return decided()
  if (same === undefined && views.length >= (isGroups ? MOST_OF_GROUP : MOST_OWN))
    return refuse(409, TOO_MANY_VIEWS)
  return decided({
    ...originOf(command, viewer.companyId),
    type: 'view.saved',
    data: { viewId: same?.viewId ?? viewId, ...owner, name: wanted, path },
  })
}

/** What somebody may not remove is not there for them. */
export function removeView(
  directory: Directory,
  command: CommandOf<'view.remove'>,
  viewer: Viewer,
): Decision {
  const view = directory.views.get(command.data.viewId)
  if (view === undefined || !isSeen(view, viewer)) return refuse(404, NOT_FOUND)
  if (!mayRemoveView(directory, viewer, view)) return refuse(403, MANAGERS_SAVE)
  return decided({
    ...originOf(command, view.companyId),
    type: 'view.removed',
    data: { viewId: view.viewId },
  })
}

const ownerOf = ({ userId, companyId }: Viewer) => ({ userId, companyId })

const isSeen = (view: View, { userId, companyId, groupId }: Viewer): boolean =>
  view.groupId === null ? view.userId === userId && view.companyId === companyId : view.groupId === groupId

/** Whoever keeps what is the group's. */
export const isManager = ({ users }: Pick<Directory, 'users'>, { userId, superAdmin }: Viewer): boolean =>
  superAdmin || users.get(userId)?.type === 'Manager'
