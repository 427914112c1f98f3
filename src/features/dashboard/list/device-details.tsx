import { ChartLine, ExternalLink, Pencil, Share2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { useRoot } from '../../../actors/use-root.ts'
import { mapSearchUrl } from '../../../format/map-search.ts'
import { formatSpeed } from '../../../format/numbers.ts'
import { usePlaceOf } from '../../../layout/incidents/use-glances.ts'
import { lazyPart } from '../../../layout/lazy-part.ts'
import { DeviceLoad } from '../../../layout/loads/device-load.tsx'
import { Place } from '../../../ui/place.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { type Device, type DeviceActions, historyPath } from '../device.ts'
import { action, DETAILS_HEIGHT } from './details-look.ts'
import { LastDayInBrief } from './last-day.tsx'

const ShareDialog = lazyPart(() => import('../../../layout/share-dialog.tsx'))
const DAY_MS = 86_400_000

/** What the list has no column for, and where to go from here. */
export default function DeviceDetails({ device, actions }: { device: Device; actions: DeviceActions }) {
  const { place } = device
  const words = usePlaceOf(device.imei)
  const { clock } = useRoot()
  /** the span whose proof is sent */
  const [shared, setShared] = useState<Range | null>(null)
  return (
    <div className="flex flex-col gap-2 pr-3 pl-10 text-dense" style={{ height: DETAILS_HEIGHT }}>
      <LastDayInBrief imei={device.imei} />
      <DeviceLoad imei={device.imei} name={device.name} className="flex min-h-13 flex-col justify-center" />
      <dl className="grid grid-cols-[76px_1fr] gap-y-0.5">
        <Line name="Plate">{device.plate || 'N/A'}</Line>
        <Line name="IMEI">{device.imei}</Line>
        <Line name="Group">{device.group?.name ?? 'N/A'}</Line>
        <Line name="Speed">{device.isWarehouse ? 'Warehouse' : formatSpeed(device.speed)}</Line>
        <Line name="Position">{place ? <Place at={place} words={words} /> : 'N/A'}</Line>
        <Line name="Updated">{device.at === null ? 'Never heard' : <RelativeTime at={device.at} />}</Line>
      </dl>
      <div className="-ml-2 flex flex-wrap">
        <Link href={historyPath(device.imei)} className={action}>
          <ChartLine size={16} aria-hidden />
          History
        </Link>
        <button
          type="button"
          onClick={() => setShared({ from: clock.now() - DAY_MS, to: clock.now() })}
          className={action}
        >
          <Share2 size={16} aria-hidden />
          Share
        </button>
        {place && (
          <a href={mapSearchUrl(place)} target="_blank" rel="noreferrer" className={action}>
            <ExternalLink size={16} aria-hidden />
            Map search
          </a>
        )}
        <button type="button" onClick={() => actions.edit(device.imei)} className={action}>
          <Pencil size={16} aria-hidden />
          Edit
        </button>
      </div>
      {shared && <ShareDialog imei={device.imei} range={shared} onClose={() => setShared(null)} />}
    </div>
  )
}

function Line({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="tabular truncate">{children}</dd>
    </>
  )
}
