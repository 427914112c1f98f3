import { X } from 'lucide-react'
import { formatCount } from '../../format/numbers.ts'
import { glyphOf } from '../../layout/glyph-of.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { SEVERITY_OF } from '../../read-model/severity.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { StateGlyph } from '../../ui/state-glyph.tsx'
import { deviceAt } from './device.ts'
import { Temperature } from './list/temperature.tsx'
import type { OnePlace } from './map/map-controller.ts'

export type OnePlaceCardProps = {
  fleet: Fleet
  place: OnePlace
  onSelect: (imei: string) => void
  onClose: () => void
}

/** px, where there is room */
const HEIGHT = 288
/** More than these are named by the list, not by a card. */
const MOST = 50

/** Devices that stand on one spot, which no zoom parts: named, the worst first. */
export default function OnePlaceCard({ fleet, place, onSelect, onClose }: OnePlaceCardProps) {
  const { state } = fleet.columns
  const rows = place.imeis.map((imei) => fleet.names.rowOf(imei)).filter((row) => row >= 0)
  const worst = rows
    .toSorted(
      (a, b) => (SEVERITY_OF[state[b] as number] as number) - (SEVERITY_OF[state[a] as number] as number),
    )
    .slice(0, MOST)
  return (
    <section
      aria-label="Devices in one place"
      className="floating absolute z-[7] flex w-64 max-w-[calc(100%-16px)] flex-col"
      style={{
        left: `clamp(8px, ${place.x - 128}px, 100% - 264px)`,
        top: `clamp(8px, ${place.y + 24}px, 100% - ${place.covered + HEIGHT + 8}px)`,
        maxHeight: `min(${HEIGHT}px, 100% - ${place.covered + 16}px)`,
      }}
    >
      <div className="flex items-center pl-3">
        <p className="flex-1 font-semibold">{`${formatCount(rows.length)} devices in one place`}</p>
        <IconButton aria-label="Close" onPress={onClose}>
          <X size={16} aria-hidden />
        </IconButton>
      </div>
      <ul className="overflow-y-auto p-1 pt-0">
        {worst.map((row) => {
          const device = deviceAt(fleet, row)
          return (
            <li key={device.imei}>
              <button
                type="button"
                onClick={() => onSelect(device.imei)}
                className="flex h-row w-full items-center gap-2 rounded-small px-2 text-left hover:bg-hover"
              >
                <StateGlyph state={glyphOf(SEVERITY_OF[device.state] as number)} />
                <span className="min-w-0 flex-1 truncate">{device.name}</span>
                <Temperature device={device} className="tabular shrink-0 text-dense" />
              </button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
