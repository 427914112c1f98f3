import { useState } from 'react'
import { useRoot } from '../actors/use-root.ts'
import { useFleetItself } from '../read-model/use-fleet.ts'
import { lazyPart } from './lazy-part.ts'
import { MoveDialog } from './move-dialog.tsx'

const ShareDialog = lazyPart(() => import('./share-dialog.tsx'))
/** What a palette still has to know something for. */
export type DeviceRequest = { act: 'move' | 'share'; imei: string }
type DeviceDialogProps = { of: DeviceRequest; onClose: () => void }
const DAY_MS = 86_400_000

/** What is to be known before a device is moved, or the proof of its last day is sent. */
export function DeviceDialog({ of: { act, imei }, onClose }: DeviceDialogProps) {
  const fleet = useFleetItself()
  const { clock } = useRoot()
  const [range] = useState(() => ({ from: clock.now() - DAY_MS, to: clock.now() }))
  return act === 'move' ? (
    <MoveDialog fleet={fleet} imeis={[imei]} onClose={onClose} onMoved={onClose} />
  ) : (
    <ShareDialog imei={imei} range={range} onClose={onClose} />
  )
}
