import { useParams } from 'wouter'
import { USER_NAME_MAX } from '#machines/rules/user-form.ts'
import { useNewUserForm } from '../../actors/user-forms.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Select } from '../../ui/select.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { NameFields, PhoneField, PlaceFields } from './user-fields.tsx'
import { TYPE_OPTIONS, userField, userValue } from './user-words.ts'

/** `/users/create/{groupId}`: a new user, at first of that group. */
export default function NewUser() {
  const { id = '' } = useParams()
  // A group out of scope is none: then one has to be chosen.
  const groupId = useFleet(({ groups }) => (groups.indexOf(id) < 0 ? '' : id))
  return <NewUserOf key={groupId} groupId={groupId} />
}

function NewUserOf({ groupId }: { groupId: string }) {
  const form = useNewUserForm(groupId)
  return (
    <Page title="New User" description="They get an e-mail with a link to set their password.">
      <Panel className="w-full max-w-200 p-5">
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
      </Panel>
    </Page>
  )
}
