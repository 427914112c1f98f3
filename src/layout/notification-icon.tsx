import { PackageX, Plug, Unplug } from 'lucide-react'
import type { NotificationType } from '#machines/contracts/entities/notifications.ts'
import { type GlyphState, StateGlyph } from '../ui/state-glyph.tsx'

/** What a notification is about, by the shape and colour that the state has everywhere; once it is over, by the shape alone. */
export function NotificationIcon({ type, isOver = false }: { type: NotificationType; isOver?: boolean }) {
  const state = STATES[type]
  return (
    <span aria-hidden className="flex w-4 shrink-0 justify-center">
      {state !== undefined ? (
        <StateGlyph state={state} size={14} isDecorative isQuiet={isOver} />
      ) : type === 'BUDGET_EXHAUSTED' ? (
        <PackageX size={16} className="text-hot" />
      ) : type === 'vehicleOnline' ? (
        <Plug size={16} className="text-fine" />
      ) : (
        <Unplug size={16} className="text-gone" />
      )}
    </span>
  )
}

const STATES: Partial<Record<NotificationType, GlyphState>> = {
  HIGH_TEMPERATURE_DETECTED: 'hot',
  LOW_TEMPERATURE_DETECTED: 'cold',
  HIGH_HUMIDITY_DETECTED: 'humid',
  LOW_HUMIDITY_DETECTED: 'dry',
  vehicleOffline: 'disconnected',
}
