import { useEffect } from 'react'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { USER_CALLS, UserCreated } from '#machines/contracts/calls/user-calls.ts'
import { DEFAULT_USER_TYPE, ManagedUser } from '#machines/contracts/entities/users.ts'
import type { Fields } from '#machines/record-form/merge.ts'
import {
  type NewUserForm,
  newUserFaults,
  normalPhone,
  type UserForm,
  userFaults,
} from '#machines/rules/user-form.ts'
import { groupThere } from '../read-model/group-there.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import type { Root } from './root.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

/** Where a new user begins, and what the server said when it was made. */
type NewUser = { groupId: string; type: string; answer?: string }

const BLANK = { firstName: '', lastName: '', userName: '', email: '', phone: '', role: '' }

/** The form of a new user, of the type that the visitor may make. `groupId`: chosen at first; '' for none. */
export function useNewUserForm(groupId: string): RecordForm<NewUser, NewUserForm> {
  const root = useRoot()
  const { http, toasts, goTo } = root
  const form = useRecordForm<NewUser, NewUserForm>({
    load: async (options) => {
      const { newUserType = DEFAULT_USER_TYPE } = await http.ask(AUTH_CALLS.me, {}, options)
      return { groupId, type: newUserType }
    },
    read: (entity) => ({
      fields: { ...BLANK, type: entity.type, groupId: entity.groupId },
      version: null,
    }),
    check: (fields) => newUserFaults(placed(root, fields)),
    save: async (fields, entity, options) => {
      const body = { ...trimmed(fields), phone: normalPhone(fields.phone) }
      const { message } = await http.ask(USER_CALLS.createUser, { body }, options)
      return { ...entity, answer: message }
    },
    contract: UserCreated,
    onSaved: ({ answer }) => answer !== undefined && toasts.success(answer),
    onClose: () => goTo('/users'),
  })
  useToastOfPhone(form)
  return form
}

/** The form of a user there is. */
export function useUserForm(id: string): RecordForm<ManagedUser, UserForm> {
  const root = useRoot()
  const { http, toasts, goTo, session } = root
  const form = useRecordForm<ManagedUser, UserForm>({
    load: (options) => http.ask(USER_CALLS.user, { params: { id } }, options),
    read: ({ firstName, lastName, phone, role, group, version }) => ({
      // written as it would be saved, so that going through the form changes nothing
      fields: { firstName, lastName, phone: normalPhone(phone), role, groupId: group._id },
      version,
    }),
    check: (fields) => userFaults(placed(root, fields)),
    save: (fields, _, options) => {
      const body = { ...trimmed(fields), phone: normalPhone(fields.phone) }
      return http.ask(USER_CALLS.updateUser, { params: { id }, body }, options)
    },
    contract: ManagedUser,
    onSaved({ _id, firstName, lastName }) {
      toasts.success('User updated successfully!')
      if (_id === session.getSnapshot().context.session?.user._id)
        session.send({ type: 'user.told', name: `${firstName} ${lastName}`.trim() })
    },
    onClose: () => goTo('/users'),
  })
  useChanges(['users'], form.changedElsewhere, id)
  useToastOfPhone(form)
  return form
}

const INVALID_PHONE = 'Invalid phone number'

/** The documents tell of such a phone in a toast; the field says it too. */
function useToastOfPhone<E, F extends Fields & { phone: string }>(form: RecordForm<E, F>): void {
  const { toasts } = useRoot()
  const { refusals, messages } = form
  const isShown = refusals > 0 && messages.phone === INVALID_PHONE
  // biome-ignore lint/correctness/useExhaustiveDependencies: told with each refusal anew
  useEffect(() => {
    if (isShown) toasts.error(INVALID_PHONE)
  }, [refusals, isShown, toasts])
}

/** A group that went meanwhile is to be chosen anew. */
function placed<F extends UserForm>({ live }: Root, fields: F): F {
  const fleet = live.get()?.fleet
  return fleet === undefined ? fields : { ...fields, groupId: groupThere(fleet, fields.groupId) }
}

const trimmed = <F extends Record<string, string>>(fields: F): F =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim()])) as F
