import { useParams } from 'wouter'
import { GROUP_NAME_MAX } from '#machines/rules/group-form.ts'
import { useFaceForm } from '../../actors/group-forms.ts'
import { GroupHistory } from '../../layout/group-history.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { ImageDrop } from '../../ui/image-drop.tsx'
import { TextField } from '../../ui/text-field.tsx'

/** `/account/update/{id}`: a group's name and picture. */
export default function UpdateGroup() {
  const { id = '' } = useParams()
  return <UpdateGroupOf key={id} id={id} />
}

function UpdateGroupOf({ id }: { id: string }) {
  const form = useFaceForm(id)
  return (
    <Page title="Update Group" description={form.entity?.name}>
      <div className="grid min-w-0 items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel className="min-w-0 p-5">
          <RecordFormView
            form={form}
            noun="group"
            labelOf={(field) => (field === 'file' ? 'Image' : 'Name')}
            show={(field, value) =>
              field === 'file' ? <Picture address={String(value)} /> : String(value ?? '')
            }
          >
            {({ fields, messages, edit, isDisabled }) => (
              <>
                <TextField
                  label="Name"
                  name="name"
                  autoComplete="off"
                  value={fields.name}
                  onChange={(name) => edit({ name })}
                  message={messages.name}
                  hint={`Letters and digits, at most ${GROUP_NAME_MAX}`}
                  isDisabled={isDisabled}
                />
                <ImageDrop
                  label="Image"
                  value={fields.file}
                  onPick={form.pick}
                  message={messages.file ?? form.faultOf(fields.file) ?? undefined}
                  hint={'PNG, JPEG, WebP, GIF, AVIF or TIFF, smaller than 5\u00a0MB'}
                  isDisabled={isDisabled}
                />
              </>
            )}
          </RecordFormView>
        </Panel>
        {form.state !== 'failed' && <GroupHistory id={id} />}
      </div>
    </Page>
  )
}

function Picture({ address }: { address: string }) {
  if (address === '') return 'No image'
  return <img src={address} alt="" className="size-16 rounded-small object-cover" />
}
