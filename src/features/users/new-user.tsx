import { useCallback, useState } from 'react'
import { useParams } from 'wouter'
import { USER_NAME_MAX } from '#machines/rules/user-form.ts'
import { useNewUserForm } from '../../actors/user-forms.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { FieldsToCome, RecordFormView } from '../../layout/record-form.tsx'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { NameFields, PhoneField, PlaceFields } from './user-fields.tsx'
import { TYPE_OPTIONS, userField, userValue } from './user-words.ts'

/** `/users/create/{groupId}`: a new user, at first of that group. */
export default function NewUser() {
  const { id = '' } = useParams()
  return (
    <Page title="New User" description="They get an e-mail with a link to set their password.">
      <Panel className="w-full max-w-200 p-5">
        <NewUserIn key={id} id={id} />
      </Panel>
    </Page>
  )
}

/** Once it is known which groups there are: what becomes of them later does not touch what was typed. */
function NewUserIn({ id }: { id: string }) {
  const groupNow = useFleet(
    useCallback(
      // A group out of scope is none: then one has to be chosen.
      ({ seq, groups }: Fleet) => (seq === undefined ? undefined : groups.indexOf(id) < 0 ? '' : id),
      [id],
    ),
  )
  const [groupId, setGroupId] = useState(groupNow)
  if (groupId === undefined && groupNow !== undefined) setGroupId(groupNow)
  return groupId === undefined ? <FieldsToCome /> : <NewUserForm groupId={groupId} />
}

function NewUserForm({ groupId }: { groupId: string }) {
  const form = useNewUserForm(groupId)
  return (
    <RecordFormView
      form={form}
      noun="form"
      labelOf={(field) => userField(field) ?? field}
      show={userValue}
      saveWord="Add User"
    >
      {(given) => (
        <div className="grid gap-x-4 tablet:grid-cols-2">
          <NameFields {...given} />
          <TextField
            label="Email"
            name="email"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={given.fields.email}
            onChange={(email) => given.edit({ email })}
            message={given.messages.email}
            hint="The link to set their password goes here"
            isDisabled={given.isDisabled}
          />
          <PhoneField {...given} />
          <TextField
            label="User Name"
            name="userName"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            value={given.fields.userName}
            onChange={(userName) => given.edit({ userName })}
            message={given.messages.userName}
            hint={`To sign in with; letters and digits, at most ${USER_NAME_MAX}`}
            isDisabled={given.isDisabled}
          />
          <Select
            label="Type"
            options={TYPE_OPTIONS}
            value={given.fields.type === '' ? null : given.fields.type}
            onChange={(type) => given.edit({ type })}
            placeholder="Select a type"
            message={given.messages.type}
            isDisabled={given.isDisabled}
          />
          <PlaceFields {...given} />
        </div>
      )}
    </RecordFormView>
  )
}
