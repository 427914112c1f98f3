import type { FastifyReply } from 'fastify'
import type { AsOf } from '#machines/contracts/calls/as-of.ts'
import type { Visitor } from '../../auth/visitor.ts'
import type { Refused } from '../../commands/decision.ts'
import { createGroup } from '../../commands/groups/create-group.ts'
import { deleteGroup } from '../../commands/groups/delete-group.ts'
import { adjustGroup, updateGroup } from '../../commands/groups/update-group.ts'
import { newId } from '../../commands/repeatable.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { type CutOf, createCutOf, visibleAt } from './as-of.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { children, groupAnswer, groupInfo } from './group-answer.ts'
import { notFound, refusal } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'visible' | 'execute' | 'readModels' | 'clock' | 'past'>

/** What routes of groups have in common. */
type Common = Deps & { cutOf: CutOf; histories: ReturnType<typeof createChangeHistories> }

/** Groups: read, made, changed, deleted. */
export function groupRoutes(deps: Deps): void {
  const histories = createChangeHistories(deps.readModels)
  const common: Common = { ...deps, cutOf: createCutOf(deps), histories }
  readingRoutes(common)
  changingRoutes(common)
}

function readingRoutes(common: Common): void {
  const { answerCall, visible, cutOf, histories } = common
  const { directory } = common.readModels

  answerCall('subgroups', ({ params, visitor }) =>
    children(directory, visible.group(visitor, params.groupId)).map((group) =>
      groupAnswer(directory, group, visitor.groupId),
    ),
  )

  answerCall('group', async ({ params, query, visitor, reply }) => {
    const { shown, group } = await groupsAt(common, query, visitor, params.id)
    return versioned(reply, groupAnswer(shown, group, visitor.groupId, true))
  })

  answerCall('groupInfo', ({ params, visitor }) =>
    groupInfo(directory, visible.group(visitor, params.id)._id),
  )

  answerCall('companyGroups', async ({ params, query, visitor }) => {
    visible.company(visitor, params.companyId)
    const { shown, group } = await groupsAt(common, query, visitor, visitor.groupId)
    return [groupAnswer(shown, group, visitor.groupId)]
  })

  answerCall('groupHistory', async ({ params, query, visitor }) => {
    const { _id } = visible.group(visitor, params.id)
    return histories.page(visitor, 'groups', _id, { ...query, cut: await cutOf(query, visitor) })
  })
}

/** A group as it was called as of a time, and those around it; where it was not there yet, as they are called today. */
async function groupsAt({ cutOf, visible, readModels }: Common, asOf: AsOf, visitor: Visitor, id: string) {
  const { directory } = readModels
  const today = visible.group(visitor, id)
  const cut = await cutOf(asOf, visitor)
  const shown = cut === undefined ? directory : visibleAt(cut, readModels, visitor.groupId)
  const group = shown.groups.get(today._id)
  return group === undefined ? { shown: directory, group: today } : { shown, group }
}

function changingRoutes(common: Common): void {
  const { answerCall, execute } = common
  const { directory } = common.readModels

  answerCall('createGroup', async ({ body, visitor, reply }) => {
    const groupId = newId('g')
    const { refused } = await execute(
      STRUCTURE,
      { type: 'group.create', by: visitor.userId, data: { ...body, groupId, things: body.things ?? [] } },
      (state, command) => createGroup(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    const group = directory.groups.get(groupId)
    if (group === undefined) throw notFound()
    return versioned(reply, groupAnswer(directory, group, visitor.groupId, true))
  })

  answerCall('updateGroup', async ({ params: { id }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'group.update',
        by: visitor.userId,
        data: { groupId: id, ...body, ifVersion: ifVersion(request) },
      },
      (state, command) => updateGroup(state, command, visitor.groupId),
    )
    return edited(common, visitor, id, reply, refused)
  })

  answerCall('renameGroup', async ({ params: { id }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'group.adjust',
        by: visitor.userId,
        data: { groupId: id, ...body, ifVersion: ifVersion(request) },
      },
      (state, command) => adjustGroup(state, command, visitor.groupId),
    )
    return edited(common, visitor, id, reply, refused)
  })

  answerCall('deleteGroup', async ({ params: { id }, visitor }) => {
    const parentId = directory.groups.get(id)?.parentId ?? ''
    const { facts, refused } = await execute(
      STRUCTURE,
      { type: 'group.delete', by: visitor.userId, data: { groupId: id } },
      (state, command) => deleteGroup(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    const count = (type: string) => facts.filter((fact) => fact.type === type).length
    return {
      message: 'Group deleted Successfully',
      to: { _id: parentId, name: directory.groups.get(parentId)?.name ?? '' },
      moved: {
        devices: count('device.updated'),
        users: count('user.updated'),
        groups: count('group.updated'),
      },
    }
  })
}

/** A group after an edit. @throws ApiError where it was refused */
function edited(
  { visible, readModels: { directory }, histories }: Common,
  visitor: Visitor,
  id: string,
  reply: FastifyReply,
  refused: Refused | undefined,
) {
  const whole = () => groupAnswer(directory, visible.group(visitor, id), visitor.groupId, true)
  if (refused) throw refusedEdit(refused, whole, histories.last('groups', id))
  return versioned(reply, whole())
}
