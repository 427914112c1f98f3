import { FileUp, PackageOpen } from 'lucide-react'
import { useDeferredValue } from 'react'
import { Link } from 'wouter'
import type { LoadRow } from '#machines/contracts/entities/loads.ts'
import { counted } from '#machines/rules/figures.ts'
import { useLoads } from '../../actors/loads.ts'
import { formatCount } from '../../format/numbers.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { BudgetLine } from '../../layout/loads/budget-line.tsx'
import { LoadBadge } from '../../layout/loads/load-badge.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { useAddress } from '../../layout/use-address.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Select } from '../../ui/select.tsx'
import {
  type LoadsView,
  loadsAddress,
  SORT_WORDS,
  SORTS,
  VIEW_STATES,
  VIEW_WORDS,
  VIEWS,
} from './loads-address.ts'

const COLUMNS =
  'desk:grid desk:grid-cols-[9rem_minmax(10rem,4fr)_minmax(9rem,3fr)_minmax(13rem,5fr)_8rem] desk:items-center desk:gap-4'
const HEADS = ['STATE', 'LOAD', 'DEVICE', 'BUDGET', 'OPENED']
const SORT_OPTIONS = SORTS.map((id) => ({ id, text: SORT_WORDS[id] }))

/** `/loads`: what the visitor's devices carry, and how much of each budget is used; the worst first. */
export default function Loads() {
  const { state, write } = useAddress(loadsAddress)
  const { view, words, sort } = state
  const search = useDeferredValue(words).trim()
  const { answer, failure, isOld, ask, loadMore } = useLoads({
    states: [...VIEW_STATES[view]],
    sort,
    ...(search !== '' && { search }),
  })
  const counts = answer?.counts ?? {}
  const countOf = (one: LoadsView): number =>
    VIEW_STATES[one].reduce((sum, each) => sum + (counts[each] ?? 0), 0)
  const options = VIEWS.map((id) => ({
    id,
    text: answer === undefined ? VIEW_WORDS[id] : `${VIEW_WORDS[id]} ${formatCount(countOf(id))}`,
  }))
  return (
    <Page
      title="Loads"
      description="What devices carry, and how much of its budget is used"
      actions={<Actions />}
    >
      <PrintHead />
      <Panel className="flex flex-1 flex-col">
        <div className="flex flex-col gap-2 p-2 print:hidden">
          <div className="rounded-small bg-sunken focus-within:outline-2 focus-within:outline-focus">
            <SearchInput
              aria-label="Search loads"
              placeholder="Search by reference, device or plate"
              value={words}
              onChange={(value) => write({ words: value }, 'replace')}
              isPageSearch
            />
          </div>
          <div className="flex flex-wrap items-end gap-x-4 gap-y-2">
            <div className="min-w-0 flex-1 basis-80">
              <Segments
                label="State"
                isLabelHidden
                isRow
                options={options}
                value={view}
                onChange={(id) => write({ view: id }, 'replace')}
              />
            </div>
            <div className="-mb-6 w-56">
              <Select
                label="Order"
                options={SORT_OPTIONS}
                value={sort}
                onChange={(id) => write({ sort: id as (typeof SORTS)[number] }, 'replace')}
              />
            </div>
          </div>
        </div>
        <output aria-live="polite" className="px-4 pt-1 pb-1 text-dense text-ink-soft">
          {answer && counted(answer.total, 'load')}
        </output>
        <KeptList what="The loads" isThere={answer !== undefined} failure={failure} onRetry={ask}>
          {() =>
            answer === undefined || answer.loads.length === 0 ? (
              <NoLoads
                view={view}
                words={search}
                isNone={Object.values(counts).every((many) => many === 0)}
                onClear={() => write({ words: '', view: 'open' }, 'replace')}
              />
            ) : (
              <>
                <RowTable
                  label="Loads"
                  heads={HEADS}
                  columns={COLUMNS}
                  rows={answer.loads}
                  keyOf={({ _id }) => _id}
                  heights={{ line: 64, card: 168 }}
                  rowLook="hover:bg-hover max-desk:flex max-desk:flex-col max-desk:gap-1.5 desk:min-h-16"
                >
                  {(load) => <Cells load={load} />}
                </RowTable>
                {answer.loads.length < answer.total && <LoadMore isLoading={isOld} onPress={loadMore} />}
              </>
            )
          }
        </KeptList>
      </Panel>
    </Page>
  )
}

function Actions() {
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <Link href="/profiles" className={buttonLook('quiet')}>
        Profiles
      </Link>
      <Link href="/loads/import" className={buttonLook('plain')}>
        <FileUp size={16} aria-hidden />
        Import a list
      </Link>
    </div>
  )
}

function Cells({ load }: { load: LoadRow }) {
  const { _id, reference, state, imei, deviceName, plateNumber, groupName, profileName } = load
  return (
    <>
      <td className="block">
        <LoadBadge state={state} />
      </td>
      <td className="block min-w-0">
        <Link
          href={`/loads/${_id}`}
          className="block truncate font-medium text-link -outline-offset-2 hover:underline touch:min-h-11 touch:content-center"
        >
          {reference}
        </Link>
        <span className="block truncate text-dense text-ink-soft">{profileName}</span>
      </td>
      <td className="block min-w-0">
        <Link href={`/temperature/${imei}`} className="block truncate -outline-offset-2 hover:underline">
          {deviceName}
        </Link>
        <span className="block truncate text-dense text-ink-faint">
          {[plateNumber, groupName].filter(Boolean).join(' · ')}
        </span>
      </td>
      <td className="block min-w-0">
        <BudgetLine {...load} />
      </td>
      <td className="block min-w-0 text-dense">
        <span className="desk:hidden">Opened </span>
        <RelativeTime at={load.openedAt} className="text-ink" />
        <span className="block truncate text-ink-faint max-desk:hidden">{load.openedBy}</span>
      </td>
    </>
  )
}

type NoLoadsProps = { view: LoadsView; words: string; isNone: boolean; onClear: () => void }

function NoLoads({ view, words, isNone, onClear }: NoLoadsProps) {
  if (words !== '' || (view !== 'open' && !isNone))
    return (
      <EmptyState title="No data Found" action={<Button onPress={onClear}>Show all open</Button>}>
        {words === ''
          ? `No load is called «${VIEW_WORDS[view]}» now.`
          : `No reference, device or plate holds “${words}” here.`}
      </EmptyState>
    )
  return (
    <EmptyState
      title="Nothing is loaded"
      icon={<PackageOpen size={22} aria-hidden />}
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Link href="/" className={buttonLook('primary')}>
            Choose a device
          </Link>
          <Link href="/loads/import" className={buttonLook('plain')}>
            Import a list
          </Link>
        </div>
      }
    >
      A load is opened on the card of a device, on its page, or by a list for many at once. From then on its
      budget is counted.
    </EmptyState>
  )
}
