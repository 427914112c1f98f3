import { useParams } from 'wouter'
import { useResendLink } from '../../actors/resend-link.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { useUserForm } from '../../actors/user-forms.ts'
import { HistoryPanel } from '../../layout/history-panel.tsx'
import { NotificationSettingsForm } from '../../layout/notification-settings-form.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { fullName } from './found-users.ts'
import { NameFields, PhoneField, PlaceFields } from './user-fields.tsx'
import { userField, userValue } from './user-words.ts'

/** `/user/update/{id}`: what is known of a user, what they are notified about, and who changed what of it. */
export default function UpdateUser() {
  const { id = '' } = useParams()
  return <UpdateUserOf key={id} id={id} />
}

function UpdateUserOf({ id }: { id: string }) {
  const form = useUserForm(id)
  const fleet = useFleetItself()
  const isMe = useSignedIn().user._id === id
  const { entity } = form
  return (
    <Page
      title="Update User"
      description={entity && `${fullName(entity)} · ${entity.email} · ${entity.userName} · ${entity.type}`}
      actions={entity && !entity.activated && <NotActivated id={id} />}
    >
      <div className="grid items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel className="p-5">
            <RecordFormView
              form={form}
              noun="user"
              labelOf={(field) => userField(field) ?? field}
              show={(field, value) =>
                field === 'groupId' ? groupName(fleet, String(value)) : userValue(field, value)
              }
            >
              {(given) => (
                <div className="grid gap-x-4 tablet:grid-cols-2">
                  <NameFields {...given} />
                  <PhoneField {...given} />
                  <PlaceFields {...given} isFixed={isMe} />
                </div>
              )}
            </RecordFormView>
          </Panel>
          {form.state !== 'failed' && (
            <Panel title="Notification settings">
              <div className="px-4 pb-4">
                <NotificationSettingsForm userId={id} />
              </div>
            </Panel>
          )}
        </div>
        {form.state !== 'failed' && (
          <HistoryPanel subject="users" id={id} labelOf={userField} show={userValue} />
        )}
      </div>
    </Page>
  )
}

function NotActivated({ id }: { id: string }) {
  const { resending, resend } = useResendLink()
  return (
    <div className="flex items-center gap-2">
      <Badge>not activated yet</Badge>
      <Button isPending={resending.has(id)} onPress={() => resend(id)}>
        Resend Link
      </Button>
    </div>
  )
}

const groupName = ({ groups }: Fleet, id: string): string => groups.list[groups.indexOf(id)]?.name ?? id
