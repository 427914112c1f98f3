import { useSelector } from '@xstate/react'
import { Fragment, type ReactNode, useEffect } from 'react'
import { useLocation } from 'wouter'
import { hasPast, isListOfThen } from '../../actors/past-pages.ts'
import type { TimeMachine } from '../../actors/root.ts'
import { useStore } from '../../actors/store.ts'
import { RootContext, useRoot } from '../../actors/use-root.ts'
import { FleetContext } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { ClockContext } from '../../ui/clock-context.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { shellAddress } from '../shell-address.ts'
import { useAddress } from '../use-address.ts'

/** A page in the portal of a time that is past: its fleet, its clock, its address. */
export default function PastFrame({ past, children }: { past: TimeMachine; children: ReactNode }) {
  const [path] = useLocation()
  const isShown = useSelector(past.actor, ({ context }) => context.shown !== null)
  const failure = useSelector(past.actor, ({ context }) => context.failure)
  usePastInAddress(past)
  // a list is another one with each time it is of, a device's page with each that one stands at, the dashboard with none
  const time = useStore(isListOfThen(path) ? past.listed : past.stood)
  if (!hasPast(path))
    return (
      <EmptyState
        title="This page has no past"
        action={<Button onPress={() => past.actor.send({ type: 'leave' })}>Back to now</Button>}
      >
        It shows what is so now. Go back to now to see it, or to another page to look back.
      </EmptyState>
    )
  if (!isShown && failure !== null)
    return <EmptyState title={failure}>Choose another time above, or go back to now.</EmptyState>
  if (!isShown) return <SkeletonRows rows={10} className="p-4" />
  return (
    <RootContext value={past.root}>
      <ClockContext value={past.root.clock}>
        <FleetContext value={past.fleet}>
          <Fragment key={path === '/' ? '' : time}>{children}</Fragment>
        </FleetContext>
      </ClockContext>
    </RootContext>
  )
}

/** The address says where one stands, on whatever page, and says it no more when one is back. While it plays it waits. */
function usePastInAddress({ actor }: TimeMachine): void {
  const { live } = useRoot()
  const { state, write } = useAddress(shellAddress)
  const isPlaying = useSelector(actor, (state) => state.matches({ past: 'playing' }))
  const { at, view } = useSelector(actor, ({ context }) => context)
  const isPast = useSelector(actor, (state) => state.matches('past'))
  useEffect(() => {
    if (isPlaying || !isPast || (state.asOf === at && state.view === view)) return
    const timer = setTimeout(() => write({ asOf: at, view }, 'replace'), 150)
    return () => clearTimeout(timer)
  }, [isPlaying, isPast, at, view, state, write])
  useEffect(
    () => () => {
      // whoever goes to a page outside the portal's frame, or signs out, is elsewhere by now
      const hasLeft = !actor.getSnapshot().matches('past') && live.get() !== undefined
      if (hasLeft) write({ asOf: null, view: 'then' }, 'replace')
    },
    [actor, live, write],
  )
}
