import type { ObservationRow } from '#machines/contracts/entities/devices.ts'
import type { ObservationQuery } from '#machines/observation-search/observation-search.machine.ts'
import { useDeviceLimits } from '../../actors/use-device-limits.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { Panel } from '../../layout/page.tsx'
import { TimeSpan } from '../../ui/time-span.tsx'
import { FileMaking, type FileMakingProps } from './file-making.tsx'
import { ObservationTable } from './observation-table.tsx'
import type { PageShown } from './observations-address.ts'
import { PageTurner } from './page-turner.tsx'

const HOUR_MS = 3_600_000

export type ObservationListProps = {
  rows: readonly ObservationRow[]
  query: ObservationQuery
  hasName: boolean
  /** something else is on its way */
  isLoading: boolean
  turned: PageShown
  onTurn: (to: PageShown) => void
  file: Omit<FileMakingProps, 'total' | 'isDisabled'>
}

/** The rows that were found, a page at a time, and the file of all of them. */
export function ObservationList(props: ObservationListProps) {
  const { rows, query, hasName, isLoading, turned, onTurn, file } = props
  const { size } = turned
  // an address may name a page beyond the last
  const page = Math.min(turned.page, Math.floor((rows.length - 1) / size))
  const device = useDeviceName(query.imei)
  const limits = useDeviceLimits(query.imei)
  const shown = rows.slice(page * size, (page + 1) * size)
  return (
    <Panel
      title="Observation List"
      actions={<FileMaking {...file} total={rows.length} isDisabled={isLoading} />}
      className={isLoading ? 'opacity-60' : ''}
    >
      <p className="tabular px-4 pb-2 text-dense text-ink-soft">
        {`${device?.name ?? query.imei} · `}
        <TimeSpan from={query.start} to={query.start + query.hours * HOUR_MS} />
      </p>
      {/* Another page begins at its top. */}
      <ObservationTable key={`${size} ${page}`} rows={shown} hasName={hasName} limits={limits} />
      <PageTurner total={rows.length} page={page} size={size} onTurn={onTurn} />
    </Panel>
  )
}
