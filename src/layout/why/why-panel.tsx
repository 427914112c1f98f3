import { ShieldCheck } from 'lucide-react'
import { Link } from 'wouter'
import { NOTIFICATION_CALLS } from '#machines/contracts/calls/notification-calls.ts'
import type { NotificationWhy } from '#machines/contracts/entities/notifications.ts'
import { CHANNELS, DELIVERY_STATES, whyInWords } from '#machines/rules/why-words.ts'
import { useLateNews } from '../../actors/late-news.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { casePath } from '../../format/case-address.ts'
import { clockTime, notificationTime, span } from '../../format/time.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { WhyChart } from './why-chart.tsx'

/**
 * Why there is a violation: what was measured against what, and who was notified by which channel; asked for again when late
 * readings show it otherwise. @param imei of the device it is about
 */
export function WhyPanel({ id, imei }: { id: string; imei: string }) {
  const { answer: why, failure, ask } = useKeptAnswer(NOTIFICATION_CALLS.why, { params: { id } })
  useLateNews(imei, ask)
  if (failure)
    return (
      <ErrorState
        title="Why it came about could not be loaded"
        details={failure.message}
        action={<Button onPress={ask}>Try again</Button>}
      />
    )
  if (why === undefined)
    return (
      <div role="status" aria-label="Loading why" className="flex flex-col gap-2">
        <Skeleton className="h-4 w-3/4" />
        <Skeleton className="h-4 w-2/3" />
        <Skeleton className="h-28 max-w-110" />
      </div>
    )
  return (
    <section aria-label="Why" className="flex flex-col gap-3 rounded-small bg-sunken p-3">
      <WhySentences why={why} />
      <WhyChart violation={why.violation} />
      <div>
        <h4 className="pb-1 font-medium">Who was notified</h4>
        <Deliveries told={why.told} />
      </div>
      <Link href={casePath(id)} className={buttonLook('plain', 'self-start')}>
        <ShieldCheck size={16} aria-hidden />
        Open the case
      </Link>
    </section>
  )
}

const TIMES = { time: notificationTime, clock: clockTime, span }

/** What was measured against what, and how it ended. */
export function WhySentences({ why }: { why: NotificationWhy }) {
  return (
    <div className="flex flex-col gap-1">
      {whyInWords(why, TIMES).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
      {why.repeats && <Repeats repeats={why.repeats} />}
    </div>
  )
}

function Repeats({
  repeats: { openedAt, acknowledged },
}: {
  repeats: NonNullable<NotificationWhy['repeats']>
}) {
  return (
    <p>
      {`It repeats the one of ${notificationTime(openedAt)}`}
      {acknowledged === null
        ? '.'
        : `, which ${acknowledged.userName} acknowledged: nobody was disturbed again.`}
    </p>
  )
}

/** Who was notified, by which channel, and what came of it. */
export function Deliveries({ told }: Pick<NotificationWhy, 'told'>) {
  return told.length === 0 ? (
    <p className="text-ink-soft">Nobody has looked at it yet, and nobody wants it by e-mail or SMS.</p>
  ) : (
    <ul className="flex flex-col gap-1">
      {told.map(({ userName, channel, at, state, detail }) => (
        <li key={`${userName} ${channel}`} className="flex flex-wrap gap-x-2 text-dense">
          <span className="font-medium">{userName}</span>
          <span className={state === 'failed' ? 'text-error' : 'text-ink-soft'}>
            {`${CHANNELS[channel]}: ${DELIVERY_STATES[state]}${detail === '' ? '' : ` (${detail})`}`}
          </span>
          <Time at={at} as={notificationTime} className="text-ink-faint" />
        </li>
      ))}
    </ul>
  )
}
