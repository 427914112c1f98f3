import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { set, string } from 'superstruct'
import type { Notification } from '#machines/contracts/entities/notifications.ts'
import type { NotificationActions } from '../../actors/notification-list.ts'
import { useKeptRecord, useKeptState } from '../../actors/use-drafts.ts'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import { useNow } from '../../ui/clock-context.ts'
import { rowByKey } from '../../ui/row-keys.ts'
import { Entry } from './entry.tsx'
import { EntryDetails } from './entry-details.tsx'
import { LocationDialog } from './location-dialog.tsx'
import { PassengerDialog } from './passenger-dialog.tsx'
import { useKeptTyped } from './use-typed.ts'
import { useWalkedEntries } from './use-walked-entries.ts'

export type NotificationListProps = {
  entries: readonly Notification[]
  /** how many there are in all */
  count: number
  /** the entry that the address says is open: it stands open at first */
  opened: string | null
  /** another was opened, or that one closed */
  onOpened: (id: string | null) => void
  actions: NotificationActions
}

type Asking = { what: 'location' | 'passenger'; entry: Notification }

const keyOf = ({ what, entry }: Asking): string => `${what} ${entry._id}`
const askings = (entry: Notification): Asking[] => [
  { what: 'location', entry },
  { what: 'passenger', entry },
]

/** Notifications, newest first, which arrow keys walk; Enter opens one, Escape closes it. */
export function NotificationList({ entries, count, opened, onOpened, actions }: NotificationListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [open, setOpen] = useKeptState<ReadonlySet<string>>(
    'open',
    set(string()),
    () => new Set(opened === null ? [] : [opened]),
  )
  const [asking, setAsking] = useKeptRecord<Asking>('asking', keyOf, (key) =>
    entries.flatMap(askings).find((one) => keyOf(one) === key),
  )
  const typed = useKeptTyped()
  const now = useNow()
  const isPast = useOnlyNow() !== undefined
  const { virtual, margin, activeIndex, idOf, to } = useWalkedEntries(list, entries)

  const [ledTo] = useState(opened)
  const openedIndex = entries.findIndex(({ _id }) => _id === ledTo)
  const isFound = openedIndex >= 0
  // Whoever was led to one entry finds it in view, and is asked what it asks for, once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: where it stands later is no matter
  useEffect(() => {
    const entry = entries[openedIndex]
    if (entry === undefined) return
    // it draws at once, which React refuses while it is drawing
    queueMicrotask(() => to(openedIndex))
    askOf(entry)
  }, [isFound])

  function askOf(entry: Notification): void {
    if (entry.passengerCheck && !isPast) setAsking({ what: 'passenger', entry })
  }

  function toggle(entry: Notification): void {
    const isOpening = !open.has(entry._id)
    setOpen(isOpening ? open.union(new Set([entry._id])) : open.difference(new Set([entry._id])))
    if (isOpening || opened === entry._id) onOpened(isOpening ? entry._id : null)
    if (isOpening) askOf(entry)
  }

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const item = (event.target as HTMLElement).closest('li[data-index]')
    const index = Number(item?.getAttribute('data-index') ?? Number.NaN)
    const entry = entries[index]
    if (entry === undefined || event.defaultPrevented) return
    const { metaKey, ctrlKey, altKey } = event
    const isOnEntry = (event.target as HTMLElement).id === idOf(entry._id) && !(metaKey || ctrlKey || altKey)
    const wanted = isOnEntry ? rowByKey(event.key, index, entries.length) : undefined
    if (wanted !== undefined) to(wanted)
    else if (event.key === 'Escape' && open.has(entry._id)) {
      toggle(entry)
      to(index)
    } else return
    event.preventDefault()
  }

  return (
    <>
      {/* The keys come up from the entries inside, which hold the focus. */}
      <ul
        ref={list}
        data-walked
        aria-label="Notifications"
        onKeyDown={onKey}
        className="relative print:h-auto!"
        style={{ height: virtual.getTotalSize() }}
      >
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const entry = entries[index] as Notification
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-posinset={index + 1}
              aria-setsize={count}
              className="absolute inset-x-0 border-line border-t print:static print:transform-none!"
              style={{ transform: `translateY(${start - margin}px)` }}
            >
              <Entry
                entry={entry}
                now={now}
                id={idOf(entry._id)}
                isActive={index === activeIndex}
                isOpen={open.has(entry._id)}
                onToggle={() => toggle(entry)}
                onLocate={() => setAsking({ what: 'location', entry })}
              >
                <EntryDetails
                  entry={entry}
                  actions={actions}
                  typed={typed}
                  onCheckPassenger={() => setAsking({ what: 'passenger', entry })}
                />
              </Entry>
            </li>
          )
        })}
      </ul>
      {asking !== null && <Question {...asking} actions={actions} onClose={() => setAsking(null)} />}
    </>
  )
}

type QuestionProps = Asking & Pick<NotificationListProps, 'actions'> & { onClose: () => void }

function Question({ what, entry, actions, onClose }: QuestionProps) {
  return what === 'location' ? (
    <LocationDialog entry={entry} onClose={onClose} />
  ) : (
    <PassengerDialog entry={entry} check={actions.checkPassenger} onClose={onClose} />
  )
}
