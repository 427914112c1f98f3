import { groupsWithin, type User } from '#machines/projections/directory.ts'
import { issueLink } from '../../commands/access/email-links.ts'
import { newId } from '../../commands/repeatable.ts'
import { STRUCTURE } from '../../commands/structure.ts'
import { createUser } from '../../commands/users/create-user.ts'
import { deleteUser } from '../../commands/users/delete-user.ts'
import { updateUser } from '../../commands/users/update-user.ts'
import { createCutOf, visibleAt } from './as-of.ts'
import { createChangeHistories } from './change-history.ts'
import type { HttpContext } from './context.ts'
import { refusal } from './refusals.ts'
import { createdAnswer, userAnswer, userRow } from './user-answer.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

/** Mails that one address may have sent to others a minute. */
const MAILS_A_MINUTE = 30

type Deps = Pick<
  HttpContext,
  'answerCall' | 'visible' | 'access' | 'execute' | 'readModels' | 'clock' | 'past'
>

/** Users: read, made, changed, deleted. */
export function userRoutes(deps: Deps): void {
  const { answerCall, visible, access, execute, readModels } = deps
  const cutOf = createCutOf(deps)
  const { directory } = readModels
  const histories = createChangeHistories(readModels)
  const { emailLinks } = access

  answerCall('groupUsers', async ({ params, query, visitor }) => {
    const groupId = visible.group(visitor, params.groupId)._id
    const cut = await cutOf(query, visitor)
    const shown = cut === undefined ? directory : visibleAt(cut, readModels, visitor.groupId)
    return groupsWithin(shown, groupId)
      .flatMap(({ users }) => [...users].flatMap((id) => shown.users.get(id) ?? []))
      .filter(({ superAdmin }) => !superAdmin)
      .sort(byName)
      .map((user) => userRow(shown, user))
  })

  answerCall('user', ({ params, visitor, reply }) =>
    versioned(reply, userAnswer(directory, visible.user(visitor, params.id))),
  )

  answerCall('userHistory', async ({ params, query, visitor }) => {
    const { _id } = visible.user(visitor, params.id)
    return histories.page(visitor, 'users', _id, { ...query, cut: await cutOf(query, visitor) })
  })

  answerCall(
    'createUser',
    async ({ body, visitor }) => {
      const userId = newId('u')
      const { refused } = await execute(
        STRUCTURE,
        {
          type: 'user.create',
          by: visitor.userId,
          data: { ...body, userId, link: emailLinks.make('activation') },
        },
        (state, command) => createUser(state, command, visitor.groupId),
      )
      // the documents' code of a refusal; what is out of scope is refused as everywhere
      if (refused?.status === 409 || refused?.status === 422)
        throw refusal({ ...refused, extra: { ...refused.extra, code: 'error' } })
      if (refused) throw refusal(refused)
      return createdAnswer(directory, userId)
    },
    { perMinute: MAILS_A_MINUTE },
  )

  answerCall('updateUser', async ({ params: { id }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      STRUCTURE,
      {
        type: 'user.update',
        by: visitor.userId,
        data: { userId: id, ...body, ifVersion: ifVersion(request) },
      },
      (state, command) => updateUser(state, command, visitor.groupId),
    )
    const current = () => userAnswer(directory, visible.user(visitor, id))
    if (refused) throw refusedEdit(refused, current, histories.last('users', id))
    return versioned(reply, current())
  })

  answerCall('deleteUser', async ({ params: { id }, visitor }) => {
    const { refused } = await execute(
      STRUCTURE,
      { type: 'user.delete', by: visitor.userId, data: { userId: id } },
      (state, command) => deleteUser(state, command, visitor.groupId),
    )
    if (refused) throw refusal(refused)
    return { message: 'User deleted Successfully' }
  })

  answerCall(
    'resendLink',
    async ({ body: { id }, visitor }) => {
      const { email } = visible.user(visitor, id)
      const { refused } = await execute(
        STRUCTURE,
        {
          type: 'link.issue',
          by: visitor.userId,
          data: { userId: id, asked: email, link: emailLinks.make('activation') },
        },
        issueLink,
      )
      if (refused) throw refusal(refused)
      return { message: 'Activation link sent successfully!' }
    },
    { perMinute: MAILS_A_MINUTE },
  )
}

const byName = (a: User, b: User): number =>
  a.firstName.localeCompare(b.firstName) || a.lastName.localeCompare(b.lastName)
