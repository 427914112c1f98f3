import { ArrowRight, Building2 } from 'lucide-react'
import { useState } from 'react'
import { Redirect } from 'wouter'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import type { CompanySummary } from '#machines/contracts/entities/companies.ts'
import { enterCompany } from '../../actors/companies.ts'
import { mayEnterCompanies } from '../../actors/session-actor.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** From so many companies on one searches rather than looks. */
const MANY = 8

/** Every company, for an administrator to enter one as its top group. */
export default function Companies() {
  return mayEnterCompanies(useSignedIn()) ? <All /> : <Redirect to="/" replace />
}

function All() {
  const { answer, failure, ask } = useKeptAnswer(COMPANY_CALLS.companies, {})
  return (
    <Page title="Companies" description="Enter one to see what its people see. You come in as its top group.">
      <Panel className="max-w-160">
        {answer ? (
          <List companies={answer} />
        ) : failure ? (
          <ErrorState action={<Button onPress={ask}>Try again</Button>}>
            The companies did not come: {failure.message}
          </ErrorState>
        ) : (
          <SkeletonRows rows={4} className="p-2" />
        )}
      </Panel>
    </Page>
  )
}

function List({ companies }: { companies: readonly CompanySummary[] }) {
  const root = useRoot()
  const [wanted, setWanted] = useState('')
  const [entering, setEntering] = useState<string | null>(null)
  const found = companies.filter(({ name }) => name.toLowerCase().includes(wanted.trim().toLowerCase()))

  async function enter(companyId: string): Promise<void> {
    if (entering !== null) return
    setEntering(companyId)
    if (!(await enterCompany(root, companyId))) setEntering(null)
  }

  return (
    <>
      {companies.length >= MANY && (
        <div className="p-3">
          <SearchInput aria-label="Search companies" value={wanted} onChange={setWanted} />
        </div>
      )}
      {found.length === 0 ? (
        <EmptyState title="No data Found" icon={<Building2 size={22} aria-hidden />} />
      ) : (
        <ul className="p-2">
          {found.map(({ _id, name, suspended }) => (
            <li key={_id} className="flex min-h-11 items-center gap-3 rounded-small py-1 pr-1 pl-3">
              <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
              {suspended && <Badge>Suspended</Badge>}
              <Button
                aria-label={`Enter ${name}`}
                isPending={entering === _id}
                isDisabled={suspended || (entering !== null && entering !== _id)}
                onPress={() => void enter(_id)}
              >
                {entering === _id ? 'Entering…' : 'Enter'}
                <ArrowRight size={16} aria-hidden />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}
