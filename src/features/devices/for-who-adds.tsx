import type { ReactNode } from 'react'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import { mayEnterCompanies } from '../../actors/session-actor.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { NoCompany } from '../../layout/no-company.tsx'
import { Panel } from '../../layout/page.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

/** Around what adds devices: those who may not add any are told who does, before they typed anything. */
export function ForWhoAdds({ children }: { children: ReactNode }) {
  const isAdministrator = mayEnterCompanies(useSignedIn())
  const { answer, failure, ask } = useKeptAnswer(REGISTRATION_CALLS.unknownDevices, {})
  if (answer?.mayRegister) return children
  return (
    <Panel className="w-full max-w-200">
      <KeptList
        what="The form"
        isThere={answer !== undefined}
        failure={failure}
        onRetry={ask}
        skeletonRows={4}
      >
        {() => (isAdministrator ? <NoCompany /> : <NotAllowed />)}
      </KeptList>
    </Panel>
  )
}

const NotAllowed = () => (
  <EmptyState title="You may not add devices">
    An administrator of the server does, or lets managers of your company do it: ask them for it.
  </EmptyState>
)
