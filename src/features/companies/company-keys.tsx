import { useSignedIn } from '../../actors/use-root.ts'
import { DeviceKeys } from '../../layout/device-keys.tsx'
import { Page } from '../../layout/page.tsx'

/** `/company/keys`: the keys of the visitor's own company. */
export default function CompanyKeys() {
  const { user } = useSignedIn()
  return (
    <Page title="Keys" description="What other systems come with, e.g. a gateway that sends readings.">
      <DeviceKeys companyId={user.companyId} />
    </Page>
  )
}
