import { Redirect } from 'wouter'
import { useNewCompanyForm } from '../../actors/company-forms.ts'
import { mayEnterCompanies } from '../../actors/session-actor.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { CompanyFieldList, companyField, companyValue } from './company-fields.tsx'

/** `/admin/companies/new`: a company, with its top group. */
export default function NewCompany() {
  return mayEnterCompanies(useSignedIn()) ? <Form /> : <Redirect to="/" replace />
}

function Form() {
  const form = useNewCompanyForm()
  return (
    <Page title="New company" description="Its top group is made with it, and is called like it.">
      <Panel className="w-full max-w-200 p-5">
        <RecordFormView
          form={form}
          noun="form"
          labelOf={companyField}
          show={companyValue}
          saveWord="Add Company"
        >
          {(given) => <CompanyFieldList {...given} />}
        </RecordFormView>
      </Panel>
    </Page>
  )
}
