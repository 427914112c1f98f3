import { useState } from 'react'
import { useRoot } from '../../actors/use-root.ts'
import { lazyPart } from '../lazy-part.ts'
import { proofSpan } from './proof-span.ts'

const ShareDialog = lazyPart(() => import('../share-dialog.tsx'))

/** What is sent: something that happened to a device. */
export type Proved = {
  imei: string
  /** ISO, when it began */
  since: string
  /** ISO; null: it lasts */
  clearedAt: string | null
}

/** The window that sends the proof of an incident, with what was around it, up to the moment it opened. */
export function ShareIncident({ of, onClose }: { of: Proved; onClose: () => void }) {
  const { clock } = useRoot()
  const { imei, since, clearedAt } = of
  const to = clearedAt === null ? undefined : Date.parse(clearedAt)
  const [range] = useState(() => proofSpan({ from: Date.parse(since), to }, clock.now()))
  return <ShareDialog imei={imei} range={range} onClose={onClose} />
}
