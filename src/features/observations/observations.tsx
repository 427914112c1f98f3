import { useSelector } from '@xstate/react'
import { Thermometer } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { ObservationFilter } from '#machines/rules/observation-filter.ts'
import { type ObservationTable as Kind, useObservationSearch } from '../../actors/observation-search.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { useAddress } from '../../layout/use-address.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { ObservationList, type ObservationListProps } from './observation-list.tsx'
import { filterIn, observationsAddress, searchedBy } from './observations-address.ts'
import { SearchForm } from './search-form.tsx'
import { WithAside } from './with-aside.tsx'

const PLAIN: Kind = { hasName: false, noDevice: 'Please Select Vehicle.' }
const NAMED: Kind = { hasName: true, noDevice: 'Id is required.' }

/** `/devices/chiller-observation`: what one device told, reading by reading. */
export function ChillerObservations() {
  return <Observations title="Temp Observations" kind={PLAIN} />
}

/** `/devices/tempchiller-observation`: the same with the name of the device. */
export function NamedObservations() {
  return <Observations title="Temp Observations with names" kind={NAMED} />
}

function Observations(props: { title: string; kind: Kind }) {
  const { state, visit, write } = useAddress(observationsAddress)
  return (
    <ObservationsOf
      key={visit}
      {...props}
      begin={filterIn(state)}
      onSearched={(filter) => write(searchedBy(filter), 'push')}
      turned={state}
      onTurn={(to) => write(to, 'replace')}
    />
  )
}

type ObservationsProps = {
  title: string
  kind: Kind
  /** what the address asks for */
  begin: ObservationFilter | undefined
  onSearched: (filter: ObservationFilter) => void
} & Pick<ObservationListProps, 'turned' | 'onTurn'>

function ObservationsOf({ title, kind, begin, onSearched, turned, onTurn }: ObservationsProps) {
  const actor = useObservationSearch(kind)
  const [first] = useState(begin)
  useEffect(() => {
    if (first) actor.send({ type: 'search', filter: first })
  }, [actor, first])
  const { shown, faults, error, written } = useSelector(actor, ({ context }) => context)
  const state = useSelector(actor, ({ value }) => (typeof value === 'string' ? value : value.shown))
  const isLoading = state === 'loading'
  return (
    <Page title={title}>
      <PrintHead />
      <Panel className="px-4 pt-4 print:hidden">
        <SearchForm
          faults={faults}
          isLoading={isLoading}
          begin={first}
          onSearch={(filter) => {
            actor.send({ type: 'search', filter })
            if (actor.getSnapshot().context.faults.length === 0) onSearched(filter)
          }}
        />
      </Panel>
      {state === 'idle' ? (
        <Panel className="min-h-60 flex-1">
          <EmptyState title="Choose a device" icon={<Thermometer size={22} aria-hidden />}>
            Pick a device, a start and a duration, then press Search. Every reading of that time is listed.
          </EmptyState>
        </Panel>
      ) : state === 'failed' ? (
        <Panel className="min-h-60 flex-1">
          <ErrorState
            title="The observations could not be loaded"
            details={error ?? undefined}
            action={<Button onPress={() => actor.send({ type: 'retry' })}>Try again</Button>}
          />
        </Panel>
      ) : state === 'empty' && shown !== null ? (
        <WithAside requested={shown.requested}>
          <Panel title="Observation List" className="min-h-60 flex-1">
            <EmptyState title="No data Found">
              This device sent nothing in that time. Choose another start or a longer duration.
            </EmptyState>
          </Panel>
        </WithAside>
      ) : shown === null || shown.rows.length === 0 ? (
        <Panel title="Observation List">
          <SkeletonRows rows={12} className="p-2" />
        </Panel>
      ) : (
        <WithAside requested={shown.requested}>
          <ObservationList
            // Another search begins at its top.
            key={`${shown.requested.imei} ${shown.requested.start} ${shown.requested.hours}`}
            rows={shown.rows}
            query={shown.requested}
            hasName={kind.hasName}
            isLoading={isLoading}
            turned={turned}
            onTurn={onTurn}
            file={{
              isMaking: state === 'making',
              written,
              error: state === 'unmade' ? error : null,
              onDownload: () => actor.send({ type: 'download' }),
              onCancel: () => actor.send({ type: 'cancel' }),
            }}
          />
        </WithAside>
      )}
    </Page>
  )
}
