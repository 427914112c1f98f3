import { ExternalLink } from 'lucide-react'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import { coordinates } from '#machines/rules/figures.ts'
import { mapSearchUrl } from '../../format/map-search.ts'
import { notificationTime } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

const LocationMap = lazyPart(() => import('./location-map.tsx'), <Skeleton className="h-full" />)

/** The documents' dialog: where a notification is about, on the map, within 300 m. */
export function LocationDialog({ entry, onClose }: { entry: Notification; onClose: () => void }) {
  const { thingName, plateNumber, lat, lng, place, createdAt } = entry
  if (lat === null || lng === null) return null
  const position = coordinates({ lat, lng })
  return (
    <Dialog
      title="Location Details"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      className="max-w-160"
    >
      <p className="pb-3 text-ink-soft">
        <span className="font-medium text-ink">{thingName}</span>
        {plateNumber !== '' && plateNumber !== thingName && ` ${plateNumber}`}
        {`, ${place ? `${place} (${position})` : position}, `}
        <Time at={createdAt} as={notificationTime} />. The circle is 300 m around it.
      </p>
      <div className="h-80 overflow-hidden rounded-small bg-sunken">
        <LocationMap name={thingName} lng={lng} lat={lat} />
      </div>
      <a
        href={mapSearchUrl({ lat, lng })}
        target="_blank"
        rel="noreferrer"
        className={buttonLook('quiet', 'mt-2 -ml-4')}
      >
        <ExternalLink size={16} aria-hidden />
        Map search
      </a>
    </Dialog>
  )
}
