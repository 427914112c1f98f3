import { useNewProfileForm } from '../../actors/profiles.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { LABELS, ProfileFieldset } from './profile-fields.tsx'

/** `/profiles/add`: a profile of the company's own. */
export default function NewProfile() {
  const form = useNewProfileForm()
  return (
    <Page title="Add Profile" description="What goods may be exposed to">
      <Panel className="max-w-180 p-4 desk:p-6">
        <RecordFormView
          form={form}
          noun="profile"
          labelOf={(field) => LABELS[field]}
          show={(_, value) => String(value ?? '')}
          saveWord="Add"
        >
          {(given) => <ProfileFieldset {...given} isNew />}
        </RecordFormView>
      </Panel>
    </Page>
  )
}
