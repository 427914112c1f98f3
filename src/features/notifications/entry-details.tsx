import { ChartLine, CircleHelp, Share2, UserRound } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { notificationTime } from '../../format/time.ts'
import { type Proved, ShareIncident } from '../../layout/incidents/share-incident.tsx'
import { LookBackLink } from '../../layout/past/look-back-link.tsx'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { WhyPanel } from '../../layout/why/why-panel.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { Acknowledgement } from './acknowledgement.tsx'
import { Comments } from './comments.tsx'
import { beganAt } from './entry-words.ts'
import type { Typed } from './use-typed.ts'

export type EntryDetailsProps = {
  entry: Notification
  actions: NotificationActions
  typed: Typed
  onCheckPassenger: () => void
}

/** What an entry opens to: who takes care of it, why it came about, what is said of it. */
export function EntryDetails({ entry, actions, typed, onCheckPassenger }: EntryDetailsProps) {
  const [isWhy, setWhy] = useState(false)
  const [isSharing, setSharing] = useState(false)
  const { _id, violationId, createdAt, clearedAt, thing, passengerCheck } = entry
  const isViolation = violationId !== null
  const onlyNow = useOnlyNow()
  return (
    <div className="flex max-w-180 flex-col gap-4">
      <p className="text-ink-soft">
        {entry.message}. <PastTime at={createdAt} imei={thing} as={notificationTime} />
        {clearedAt !== null && (
          <>
            {', ended '}
            <PastTime at={clearedAt} imei={thing} as={notificationTime} />
          </>
        )}
        {entry.isRepeat && '. It repeats one that is acknowledged, so nobody was disturbed again.'}
      </p>
      <div className="flex flex-wrap gap-2">
        {isViolation && (
          <button
            type="button"
            aria-expanded={isWhy}
            onClick={() => setWhy(!isWhy)}
            className={buttonLook('plain')}
          >
            <CircleHelp size={16} aria-hidden />
            Why
          </button>
        )}
        {passengerCheck && onlyNow === undefined && (
          <button type="button" onClick={onCheckPassenger} className={buttonLook('plain')}>
            <UserRound size={16} aria-hidden />
            Passenger check
          </button>
        )}
        <Link href={`/temperature/${thing}`} className={buttonLook('quiet')}>
          <ChartLine size={16} aria-hidden />
          History
        </Link>
        <button type="button" onClick={() => setSharing(true)} className={buttonLook('quiet')}>
          <Share2 size={16} aria-hidden />
          Share
        </button>
        <LookBackLink at={createdAt} imei={thing} />
      </div>
      {isSharing && <ShareIncident of={provedBy(entry)} onClose={() => setSharing(false)} />}
      {isWhy && <WhyPanel id={_id} imei={thing} />}
      {isViolation && <Acknowledgement entry={entry} acknowledge={actions.acknowledge} typed={typed} />}
      <Comments entry={entry} post={actions.comment} typed={typed} />
      {onlyNow !== undefined && <p className="text-ink-soft">{onlyNow}.</p>}
    </div>
  )
}

/** What does not last, as a passenger check, is over as it is told; so is what never was. */
function provedBy(entry: Notification): Proved {
  const { thing, createdAt, clearedAt, violationId, revised } = entry
  const lasts = violationId !== null && revised !== null
  return { imei: thing, since: beganAt(entry), clearedAt: clearedAt ?? (lasts ? null : createdAt) }
}
