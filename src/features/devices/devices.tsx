import { FileUp, Plus } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo } from 'react'
import { Link } from 'wouter'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import { statusOf } from '#machines/contracts/device-state.ts'
import { counted } from '#machines/rules/figures.ts'
import { mayEnterCompanies } from '../../actors/session-actor.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { deviceRows, useDevices } from '../../layout/device-options.ts'
import { NoCompany } from '../../layout/no-company.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PageSearch } from '../../layout/page-search.tsx'
import { useSearchWords } from '../../layout/use-search-words.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { UnknownLink, UnknownPanel } from './unknown-panel.tsx'

const LOOK_EVERY_MS = 10_000
const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(11rem,5fr)_minmax(8rem,3fr)_11rem_7rem_minmax(9rem,4fr)_8rem] desk:items-center desk:gap-3'
const HEADS = ['NAME', 'PLATE', 'IMEI', 'TYPE', 'GROUP', 'STATUS']

/** `/devices`: the devices in the visitor's group and below; those who may add some, and take in those that knocked. */
export default function Devices() {
  const { answer, ask } = useKeptAnswer(
    REGISTRATION_CALLS.unknownDevices,
    {},
    { isBackground: true, changes: ['groups'] },
  )
  // until it is known, what comes for those who may has its room
  const mayRegister = answer?.mayRegister
  useEffect(() => {
    if (!mayRegister) return
    const timer = setInterval(ask, LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [mayRegister, ask])
  const { fleet, search, all } = useDevices()
  const isThere = useFleet(isKnown)
  const [query, setQuery] = useSearchWords()
  const wanted = useDeferredValue(query)
  const rows = useMemo(
    () => (wanted.trim() === '' ? all : deviceRows(fleet, search, wanted)),
    [fleet, search, all, wanted],
  )
  const list = useMemo(() => Array.from(rows), [rows])

  return (
    <Page
      title="Devices"
      description={
        isThere && (
          <>
            {`${counted(all.length, 'device')} in your group and below`}
            {mayRegister !== false && <UnknownLink count={answer?.devices.length ?? 0} />}
          </>
        )
      }
      actions={mayRegister !== false && <Actions isShown={mayRegister === true} />}
    >
      <Panel className="flex flex-1 flex-col">
        <PageSearch
          label="Search devices"
          placeholder="Search by name, plate or IMEI"
          value={query}
          onChange={setQuery}
          found={wanted === '' ? '' : counted(rows.length, 'device')}
        />
        {!isThere ? (
          <SkeletonRows rows={12} className="px-1" />
        ) : list.length === 0 ? (
          <NoDevices query={wanted} mayRegister={mayRegister} onClear={() => setQuery('')} />
        ) : (
          <RowTable
            label="Devices"
            heads={HEADS}
            columns={COLUMNS}
            rows={list}
            keyOf={(row) => fleet.names.of(row, 'imei')}
            heights={{ line: 48, card: 92 }}
            rowLook="hover:bg-hover desk:min-h-12 desk:py-1"
          >
            {(row) => <DeviceCells fleet={fleet} row={row} />}
          </RowTable>
        )}
      </Panel>
      {/* where nothing that is pressed moves when it comes */}
      {answer && <UnknownPanel devices={answer.devices} since={answer.since} onTaken={ask} />}
    </Page>
  )
}

const isKnown = (fleet: Fleet): boolean => fleet.seq !== undefined

function Actions({ isShown }: { isShown: boolean }) {
  return (
    <div className={`flex flex-wrap gap-2 ${isShown ? '' : 'invisible'}`}>
      <Link href="/devices/import" className={buttonLook('plain')}>
        <FileUp size={16} aria-hidden />
        Import
      </Link>
      <Link href="/devices/add" className={buttonLook('primary')}>
        <Plus size={16} aria-hidden />
        Add Device
      </Link>
    </div>
  )
}

function NoDevices({
  query,
  mayRegister,
  onClear,
}: {
  query: string
  mayRegister: boolean | undefined
  onClear: () => void
}) {
  const isAdministrator = mayEnterCompanies(useSignedIn())
  if (query !== '')
    return (
      <EmptyState title="No data Found" action={<Button onPress={onClear}>Clear search</Button>}>
        {`No name, plate or IMEI holds “${query}”.`}
      </EmptyState>
    )
  if (isAdministrator && mayRegister === false) return <NoCompany />
  return (
    <EmptyState title="No devices yet">
      {mayRegister
        ? 'Add one by its IMEI, or import a list of them.'
        : 'An administrator of the server adds them, or lets managers of your company do it. They show up here by themselves.'}
    </EmptyState>
  )
}

function DeviceCells({ fleet: { names, columns, groups }, row }: { fleet: Fleet; row: number }) {
  const imei = names.of(row, 'imei')
  return (
    <>
      <td className="flex min-w-0">
        <Link
          href={`/devices/${imei}`}
          className="max-w-full truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {names.of(row, 'name')}
        </Link>
      </td>
      <td className={`${SOFT} block truncate`}>{names.of(row, 'plate')}</td>
      <td className={`${SOFT} tabular inline-block desk:block`}>{imei}</td>
      <td className={`${SOFT} max-desk:inline-block max-desk:pl-1.5 max-desk:before:pr-1.5 ${DOT}`}>
        {columns.kind[row] === 1 ? 'Warehouse' : 'Vehicle'}
      </td>
      <td className={`${SOFT} block truncate max-desk:pr-24`}>
        {groups.list[columns.group[row] as number]?.name}
      </td>
      <td className={`${SOFT} max-desk:absolute max-desk:top-2 max-desk:right-4`}>
        {statusOf(columns.state[row] as number)}
      </td>
    </>
  )
}

const SOFT = 'text-ink-soft desk:text-ink'
const DOT = "max-desk:before:content-['·']"
