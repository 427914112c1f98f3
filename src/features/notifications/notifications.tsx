import { useSelector } from '@xstate/react'
import { Bell } from 'lucide-react'
import { useEffect } from 'react'
import type { Filters } from '#machines/notification-feed/entries.ts'
import { lastWholeDays, REPORT_DAYS } from '#machines/rules/date-range.ts'
import { useNotificationActions, useNotificationList } from '../../actors/notification-list.ts'
import type { Notifications as Board, NotificationFeed } from '../../actors/notifications.ts'
import { useStore } from '../../actors/store.ts'
import { useMarkRead } from '../../actors/use-mark-read.ts'
import { useRoot } from '../../actors/use-root.ts'
import { listedAddress, type NotificationsListed } from '../../format/notifications-address.ts'
import { formatCount } from '../../format/numbers.ts'
import { zoneName } from '../../format/time.ts'
import { IncidentDesk } from '../../layout/incidents/incident-desk.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { type Addressed, useAddress } from '../../layout/use-address.ts'
import { choiceOf, imeis, pickedBy } from '../../read-model/choices.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { NotificationFilters } from './notification-filters.tsx'
import { NotificationList } from './notification-list.tsx'

/** `/notifications`: what happened, newest first, live. Another address is another list. */
export default function Notifications() {
  const { state: listed, visit, write } = useAddress(listedAddress)
  const isThere = useFleet(isKnown)
  // what is left out is left out of all there are
  if (!isThere && typeof listed.things === 'object' && 'but' in listed.things) return <Waiting />
  return <ListOf key={visit} listed={listed} onListed={write} />
}

const isKnown = (fleet: Fleet): boolean => fleet.seq !== undefined

const Waiting = () => (
  <Page title="Notifications">
    <Panel>
      <SkeletonRows rows={10} />
    </Panel>
  </Page>
)

type Listing = {
  /** what the address asks for */
  listed: NotificationsListed
  onListed: Addressed<NotificationsListed>['write']
}

function ListOf({ listed, onListed }: Listing) {
  const { clock } = useRoot()
  const fleet = useFleetItself()
  const { feed, notifications } = useNotificationList(() => filtersOf(listed, fleet, clock.now()))
  if (feed === undefined || notifications === undefined) return <Waiting />
  return (
    <List
      feed={feed}
      notifications={notifications}
      open={listed.open}
      isOfMany={listed.things === 'many'}
      onListed={onListed}
    />
  )
}

function filtersOf({ range, things, types }: NotificationsListed, fleet: Fleet, now: number): Filters {
  return {
    range: range ?? lastWholeDays(REPORT_DAYS, now, zoneName),
    things: thingsOf(things, fleet),
    types: types.length === 0 ? null : types,
  }
}

function thingsOf(things: NotificationsListed['things'], fleet: Fleet): Filters['things'] {
  // those that are named need no fleet
  const picked = things instanceof Set ? things : pickedBy(things, imeis(fleet))
  return picked === undefined || picked === 'all' || picked.size === 0 ? null : [...picked]
}

type ListProps = Omit<Listing, 'listed'> & {
  feed: NotificationFeed
  notifications: Board
  /** the entry that is open by the address */
  open: string | null
  /** the address asks for more devices than it can name */
  isOfMany: boolean
}

function List({ feed, notifications, open: opened, isOfMany, onListed }: ListProps) {
  const { listed, filters, error } = useSelector(feed, ({ context }) => context)
  const isReady = useSelector(feed, (state) => state.matches('ready') || state.matches('loadingMore'))
  const isLoadingMore = useSelector(feed, (state) => state.matches('loadingMore'))
  const hasFailed = useSelector(feed, (state) => state.matches('failed'))
  const actions = useNotificationActions(feed)
  const fleet = useFleetItself()
  const { entries, count, hasMore, asOf } = listed
  const isOfAll = filters.things === null
  useEffect(() => {
    // which they were is not known here
    if (isOfMany && isOfAll) onListed({ things: 'all' }, 'replace')
  }, [isOfMany, isOfAll, onListed])
  useMarkRead(notifications, isReady)
  const { live, goTo } = useRoot()
  const desk = useStore(live)?.desk

  const open = (imei: string): void => goTo(`/temperature/${imei}`)
  const list = hasFailed ? (
    <ErrorState
      title="The notifications could not be loaded"
      details={error ?? undefined}
      action={<Button onPress={() => feed.send({ type: 'retry' })}>Try again</Button>}
    />
  ) : asOf < 0 ? (
    <SkeletonRows rows={10} />
  ) : entries.length === 0 && isReady ? (
    <EmptyState title="No Notifications Yet!" icon={<Bell size={22} aria-hidden />}>
      Nothing happened to these devices in this time.
    </EmptyState>
  ) : (
    <div aria-busy={!isReady} className={isReady ? undefined : 'opacity-60'}>
      <NotificationList
        entries={entries}
        count={count}
        opened={opened}
        onOpened={(open) => onListed({ open }, 'replace')}
        actions={actions}
      />
      {hasMore && (
        <LoadMore
          isLoading={isLoadingMore}
          isDisabled={!isReady}
          onPress={() => feed.send({ type: 'loadMore' })}
        >
          {error !== null && (
            <p role="alert" className="text-dense text-error">
              The next ones did not come: {error}
            </p>
          )}
        </LoadMore>
      )}
    </div>
  )

  return (
    <Page
      title="Notifications"
      description={
        <output className="tabular">
          {asOf >= 0 && `${formatCount(entries.length)} of ${formatCount(count)}`}
        </output>
      }
    >
      <PrintHead range={filters.range} />
      <Panel className="px-4 pt-3 print:hidden">
        <NotificationFilters
          filters={filters}
          onFilter={(things, types) => {
            feed.send({ type: 'filter', things, types })
            const picked = things === null ? 'all' : new Set(things)
            onListed({ things: choiceOf(picked, imeis(fleet)), types: types ?? [], plate: '' }, 'replace')
          }}
          onDates={(range) => {
            feed.send({ type: 'dates', range })
            onListed({ range }, 'replace')
          }}
        />
      </Panel>
      <Panel className="flex min-h-80 flex-1 flex-col overflow-hidden pt-2 print:overflow-visible">
        {desk === undefined ? (
          list
        ) : (
          <IncidentDesk desk={desk} restWord="All" rest={list} onPress={open} onOpen={open} />
        )}
      </Panel>
    </Page>
  )
}
