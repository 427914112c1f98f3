import { FolderPlus } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useState } from 'react'
import { Link } from 'wouter'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import { counted } from '#machines/rules/figures.ts'
import { useKeptRecord } from '../../actors/use-drafts.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { oneOf, pageAddress } from '../../format/page-address.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { useWhenNow } from '../../layout/past/past-context.ts'
import { useAddressPart } from '../../layout/use-address.ts'
import { useSearchWords } from '../../layout/use-search-words.ts'
import { byHealth, healthOf, isSameHealth } from '../../read-model/group-health.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { DeleteGroup } from './delete-group.tsx'
import { everyGroup, groupRows } from './group-rows.ts'
import { GroupTable } from './group-table.tsx'
import { expandedOf, keepExpanded } from './kept-expanded.ts'

/** `/groups`: the visitor's group with all below it, and how much is in each. */
export default function Groups() {
  const { user } = useSignedIn()
  const { answer, failure, ask } = useKeptAnswer(
    GROUP_CALLS.companyGroups,
    { params: { companyId: user.companyId } },
    { changes: ['groups', 'users'] },
  )
  return (
    <Page
      title="Groups"
      description={answer && summaryOf(answer)}
      actions={
        <Link href="/groups/add" className={buttonLook('primary')}>
          <FolderPlus size={16} aria-hidden />
          Add Group
        </Link>
      }
    >
      <Panel className="flex flex-1 flex-col">
        {answer ? (
          <GroupTree groups={answer} own={user.groupId} isOutdated={failure !== null} onRetry={ask} />
        ) : failure ? (
          <ErrorState
            title="The groups could not be loaded"
            details={failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          />
        ) : (
          <SkeletonRows rows={12} className="px-1 pt-2" />
        )}
      </Panel>
    </Page>
  )
}

/** `/groups?sort=worst`: the tree's own order has no word. */
const orderAddress = pageAddress<{ sort: 'name' | 'worst' }>({
  sort: oneOf('sort', ['name', 'worst'], 'name'),
})

type Leaving = { group: Group; above: string }

type GroupTreeProps = {
  groups: readonly Group[]
  own: string
  isOutdated: boolean
  onRetry: () => void
}

function GroupTree({ groups, own, isOutdated, onRetry }: GroupTreeProps) {
  const { goTo } = useRoot()
  const whenNow = useWhenNow()
  const [query, setQuery] = useSearchWords()
  const wanted = useDeferredValue(query.trim())
  const fleet = useFleetItself()
  const [expanded, setExpanded] = useState(() => expandedOf(fleet, groups))
  useEffect(() => keepExpanded(fleet, expanded), [fleet, expanded])
  const [leaving, setLeaving] = useKeptRecord(
    'leaving',
    ({ group }: Leaving) => group._id,
    (id) => withAbove(groups, id),
  )
  const health = useFleet(healthOf, isSameHealth)
  const [sort, setSort] = useAddressPart(orderAddress, 'sort', 'replace')
  const isWorstFirst = sort === 'worst'
  const order = useMemo(
    () => (isWorstFirst ? (a: Group, b: Group) => byHealth(health.get(a._id), health.get(b._id)) : undefined),
    [isWorstFirst, health],
  )
  const rows = useMemo(() => groupRows(groups, expanded, wanted, order), [groups, expanded, wanted, order])

  return (
    <>
      <div className="m-2 rounded-small bg-sunken focus-within:outline-2 focus-within:outline-focus">
        <SearchInput
          aria-label="Search groups"
          placeholder="Search groups"
          value={query}
          onChange={setQuery}
          isPageSearch
        />
      </div>
      <div className="flex justify-end px-2">
        <Button
          kind={isWorstFirst ? 'plain' : 'quiet'}
          aria-pressed={isWorstFirst}
          onPress={() => setSort(isWorstFirst ? 'name' : 'worst')}
        >
          Worst first
        </Button>
      </div>
      {isOutdated && <Outdated onRetry={onRetry} />}
      {rows.length === 0 ? (
        <EmptyState
          title="No data Found"
          action={query !== '' && <Button onPress={() => setQuery('')}>Clear search</Button>}
        >
          {query === '' ? 'There are no groups yet.' : `No name or description holds “${query}”.`}
        </EmptyState>
      ) : (
        <GroupTable
          rows={rows}
          health={health}
          own={own}
          onExpand={(id, isExpanded) => setExpanded((before) => withOne(before, id, isExpanded))}
          onEdit={(id) => goTo(`/groups/${id}/update`)}
          onDelete={({ group }) => whenNow(() => setLeaving(withAbove(groups, group._id) ?? null))}
        />
      )}
      {leaving && (
        <DeleteGroup
          {...leaving}
          onDeleted={onRetry}
          onClose={() => setLeaving(null)}
          key={leaving.group._id}
        />
      )}
    </>
  )
}

function Outdated({ onRetry }: { onRetry: () => void }) {
  return (
    <p role="status" className="flex items-center gap-2 px-4 text-dense text-ink-soft">
      The groups could not be brought up to date.
      <Button kind="quiet" onPress={onRetry}>
        Try again
      </Button>
    </p>
  )
}

function withOne(before: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> {
  const next = new Set(before)
  if (isIn) next.add(id)
  else next.delete(id)
  return next
}

function summaryOf(groups: readonly Group[]): string {
  const below = everyGroup(groups).length - groups.length
  const devices = groups.reduce((sum, { totalVehicles }) => sum + totalVehicles, 0)
  return `${counted(below, 'group')} below yours, ${counted(devices, 'device')} in all`
}

/** A group and the name of the one above it, which takes what is in it; undefined where there is no such group. */
function withAbove(groups: readonly Group[], id: string): Leaving | undefined {
  const every = everyGroup(groups)
  const group = every.find(({ _id }) => _id === id)
  const above = every.find(({ child }) => child.some(({ _id }) => _id === id))
  return group && { group, above: above?.name ?? 'the group above' }
}
