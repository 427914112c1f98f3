import { Link } from 'wouter'
import type { Live } from '../actors/root.ts'
import { WorstOpen } from './incidents/worst-open.tsx'
import { TodaysNotifications } from './todays-notifications.tsx'

/**
 * What is open and what happened today. What leads to all of it stands above both: they grow as answers and incidents come,
 * and would move it under a press.
 */
export default function BellWindow({ live, onClose }: { live: Live; onClose: () => void }) {
  const { desk, notifications, past } = live
  // what it tells is of now
  const leave = (): void => {
    onClose()
    past.get()?.actor.send({ type: 'leave' })
  }
  return (
    <>
      <div className="flex h-control shrink-0 items-center justify-between border-line border-b pl-4">
        <h2 className="font-semibold">Notifications</h2>
        <Link
          href="/notifications"
          onClick={leave}
          className="flex h-full items-center px-4 font-medium text-accent -outline-offset-2 hover:bg-hover"
        >
          View All
        </Link>
      </div>
      <WorstOpen desk={desk} onLeave={leave} />
      <h3 className="flex h-control shrink-0 items-center px-4 pt-1 font-semibold">Today</h3>
      <TodaysNotifications feed={notifications.todays} onLeave={leave} />
    </>
  )
}
