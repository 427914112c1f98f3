import { ArrowRight, Building2, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link, Redirect } from 'wouter'
import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import type { CompanyRow } from '#machines/contracts/entities/companies.ts'
import { enterCompany } from '../../actors/companies.ts'
import { COMPANIES_PATH, mayEnterCompanies } from '../../actors/session-actor.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { useSearchWords } from '../../layout/use-search-words.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { SearchInput } from '../../ui/search-input.tsx'

/** From so many companies on one searches rather than looks. */
const MANY = 8

/** `/admin/companies`: every company with what it has and sends, the home of a super admin. */
export default function Companies() {
  return mayEnterCompanies(useSignedIn()) ? <All /> : <Redirect to="/" replace />
}

function All() {
  const { answer, failure, ask } = useKeptAnswer(COMPANY_CALLS.companies, {}, { changes: ['companies'] })
  return (
    <Page
      title="Companies"
      description="Enter one to see what its people see. You come in as its top group."
      actions={
        <Link href={`${COMPANIES_PATH}/new`} className={buttonLook('primary')}>
          <Plus size={16} aria-hidden />
          Add Company
        </Link>
      }
    >
      <Panel>
        <KeptList
          what="The companies"
          isThere={answer !== undefined}
          failure={failure}
          onRetry={ask}
          skeletonRows={4}
        >
          {() => answer && <List companies={answer} />}
        </KeptList>
      </Panel>
    </Page>
  )
}

const HEADS = ['NAME', 'DEVICES', 'USERS', 'READINGS A MINUTE', 'LAST WORD', 'ACTIONS']
const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(12rem,1fr)_6rem_6rem_10rem_9rem_8rem] desk:items-center desk:gap-3'

function List({ companies }: { companies: readonly CompanyRow[] }) {
  const root = useRoot()
  const [wanted, setWanted] = useSearchWords()
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
        <EmptyState title="No data Found" icon={<Building2 size={22} aria-hidden />}>
          {companies.length === 0 ? 'Add the first company.' : undefined}
        </EmptyState>
      ) : (
        <RowTable
          label="Companies"
          heads={HEADS}
          columns={COLUMNS}
          rows={found}
          keyOf={({ _id }) => _id}
          heights={{ line: 48, card: 116 }}
          headLook="last:text-right"
          rowLook="hover:bg-hover desk:min-h-12 desk:py-1"
        >
          {(company) => (
            <Cells
              {...company}
              isEntering={entering === company._id}
              isDisabled={company.suspended || (entering !== null && entering !== company._id)}
              onEnter={() => void enter(company._id)}
            />
          )}
        </RowTable>
      )}
    </>
  )
}

type CellsProps = CompanyRow & { isEntering: boolean; isDisabled: boolean; onEnter: () => void }

const NUMBER = 'tabular inline-block pr-2 text-ink-soft desk:block desk:text-ink'

/** The cells of one company. */
function Cells({ isEntering, isDisabled, onEnter, ...company }: CellsProps) {
  const { _id, name, suspended, suspendedBecause, devices, users, readingsAMinute, lastWordAt } = company
  return (
    <>
      <td className="flex min-w-0 items-center gap-2 max-desk:pr-28">
        <Link
          href={`${COMPANIES_PATH}/${_id}`}
          title={name}
          className="truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {name}
        </Link>
        {suspended && (
          <span title={suspendedBecause ?? undefined} className="shrink-0">
            <Badge>Suspended</Badge>
          </span>
        )}
      </td>
      <td className={NUMBER}>
        {formatCount(devices)}
        <span className="desk:sr-only"> {devices === 1 ? 'device' : 'devices'}</span>
      </td>
      <td className={NUMBER}>
        {formatCount(users)}
        <span className="desk:sr-only"> {users === 1 ? 'user' : 'users'}</span>
      </td>
      <td className={`${NUMBER} max-desk:block`}>
        {formatCount(Math.round(readingsAMinute))}
        <span className="desk:sr-only"> readings a minute</span>
      </td>
      <td className="text-ink-soft max-desk:block">
        {lastWordAt === null ? 'no reading yet' : <RelativeTime at={lastWordAt} />}
      </td>
      <td className="z-1 flex justify-end max-desk:absolute max-desk:top-2 max-desk:right-2 desk:relative">
        <Button aria-label={`Enter ${name}`} isPending={isEntering} isDisabled={isDisabled} onPress={onEnter}>
          {isEntering ? 'Entering…' : 'Enter'}
          <ArrowRight size={16} aria-hidden />
        </Button>
      </td>
    </>
  )
}
