import { Bell, ChartLine, ExternalLink, X } from 'lucide-react'
import { type Ref, useEffect } from 'react'
import { Link } from 'wouter'
import { catchingUpText } from '#machines/rules/catching-up.ts'
import { mapSearchUrl } from '../../format/map-search.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { formatHumidity } from '../../format/numbers.ts'
import { glyphOf, statusWord, wordOf } from '../../layout/glyph-of.ts'
import { usePlaceOf } from '../../layout/incidents/use-glances.ts'
import { useIncidentOf } from '../../layout/incidents/use-incident-of.ts'
import { DeviceLoad } from '../../layout/loads/device-load.tsx'
import { SEVERITY_OF } from '../../read-model/severity.ts'
import { classNames } from '../../ui/class-names.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { Place } from '../../ui/place.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { type Device, historyPath } from './device.ts'
import { action } from './list/details-look.ts'
import { Temperature } from './list/temperature.tsx'
import { useIsStale } from './use-is-stale.ts'

export type MarkerCardProps = {
  device: Device
  onClose: () => void
  /** it is there, and may be put in its place */
  onShown: () => void
  ref: Ref<HTMLElement>
}

/** What the selected marker says, beside it. The map moves it along; it is out of sight until the map did. */
export default function MarkerCard({ device, onClose, onShown, ref }: MarkerCardProps) {
  useEffect(onShown, [onShown])
  const state = glyphOf(SEVERITY_OF[device.state] as number)
  const open = useIncidentOf()(device.imei)
  const words = usePlaceOf(device.imei)
  const isStale = useIsStale()
  const isFaded = isStale || statusWord(device.state) !== 'Online'
  return (
    <section
      ref={ref}
      aria-label={`${device.name} on the map`}
      className="floating invisible absolute top-0 left-0 z-[5] hidden w-64 flex-col gap-2 p-3 pb-1 desk:flex"
    >
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <p className="truncate font-semibold">{device.name}</p>
          <p className="flex items-center gap-1.5 text-dense text-ink-soft">
            <StateGlyph state={state} isDecorative />
            {wordOf(device.state)}
            {state !== 'offline' && state !== 'disconnected' && ` · ${statusWord(device.state)}`}
          </p>
        </div>
        <IconButton aria-label="Let go of the device" onPress={onClose} className="-mt-2 -mr-2">
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <div className={classNames('flex items-baseline gap-4', isFaded && 'text-ink-faint')}>
        <Temperature device={device} isFaded={isFaded} className="tabular font-semibold text-title" />
        <span className={classNames('tabular', !isFaded && 'text-ink-soft')}>
          {formatHumidity(device.humidity)}
        </span>
      </div>
      {open && (
        <p className="text-dense text-ink-soft">
          {open.shelving !== undefined
            ? `Shelved by ${open.shelving.userName}: ${open.shelving.reason}`
            : open.incident.holder === null
              ? 'Nobody has it'
              : `${open.incident.holder.userName} has it`}
        </p>
      )}
      <DeviceLoad imei={device.imei} name={device.name} isBrief />
      {device.place && words && (
        <p className="truncate text-dense text-ink-soft">
          <Place at={device.place} words={words} />
        </p>
      )}
      <p className="text-dense text-ink-soft">
        {device.at === null ? (
          'Never heard'
        ) : (
          <>
            Updated <RelativeTime at={device.at} />
          </>
        )}
      </p>
      {device.progress && (
        <p className="text-accent text-dense first-letter:uppercase">{catchingUpText(device.progress)}</p>
      )}
      <div className="-ml-2 flex flex-wrap">
        <Link href={historyPath(device.imei)} className={action}>
          <ChartLine size={16} aria-hidden />
          History
        </Link>
        <Link href={notificationsAddress({ thing: device.imei, plate: device.plate })} className={action}>
          <Bell size={16} aria-hidden />
          Notifications
        </Link>
        {device.place && (
          <a href={mapSearchUrl(device.place)} target="_blank" rel="noreferrer" className={action}>
            <ExternalLink size={16} aria-hidden />
            Map search
          </a>
        )}
      </div>
    </section>
  )
}
