import { KeyRound } from 'lucide-react'
import { AUTH_CALLS } from '#machines/contracts/calls/auth-calls.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { DeviceKeys } from '../../layout/device-keys.tsx'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** `/company/keys`: the keys of the visitor's own company, for those who may keep them. */
export default function CompanyKeys() {
  const { user } = useSignedIn()
  const { answer, failure, ask } = useKeptAnswer(AUTH_CALLS.me, {})
  return (
    <Page title="Keys" description="What other systems come with, e.g. a gateway that sends readings.">
      {answer?.keepsKeys ? (
        <DeviceKeys companyId={user.companyId} />
      ) : (
        <Panel title="Keys for other systems" className="w-full max-w-200">
          <KeptList
            what="The keys"
            isThere={answer !== undefined}
            failure={failure}
            onRetry={ask}
            skeletonRows={3}
          >
            {() => (
              <EmptyState title="You may not keep keys" icon={<KeyRound size={22} aria-hidden />}>
                Managers of the whole company keep them: who is of type Manager, in its top group. Ask one of
                them for a key, or to do it with you.
              </EmptyState>
            )}
          </KeptList>
        </Panel>
      )}
    </Page>
  )
}
