import { useContext } from 'react'
import type { Doing } from '#machines/director/doings.ts'
import { Button } from '../../ui/button.tsx'
import { ClockContext, useNow } from '../../ui/clock-context.ts'
import { useDoing } from './use-doing.ts'
import { leftWords } from './words.ts'

/** `isReal`: it runs out by the clock of this machine, not by the world's, which may stand. `until`: epoch ms of either */
type Row = { id: string; what: string; whom: string | null; until: number; isReal?: boolean }
type Props = {
  title: string
  nothing: string
  rows: readonly Row[]
  liftKind: Extract<Doing['kind'], 'fault.lift' | 'link.lift'>
  onLift: (id: string) => void
}

/** What is wrong now by the director's hand: what it is, how long it lasts, and a way to end it. */
export function InForce({ title, nothing, rows, liftKind, onLift }: Props) {
  const { isDoing } = useDoing()
  const clock = useContext(ClockContext)
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="font-medium text-dense text-ink-soft">{title}</h3>
      {rows.length === 0 && <p className="text-dense text-ink-faint">{nothing}</p>}
      <ul className="flex flex-col gap-px">
        {rows.map(({ id, what, whom, until, isReal }) => (
          <li key={id} className="flex min-h-11 items-center gap-2 rounded-small bg-sunken py-1 pr-1 pl-3">
            <div className="min-w-0 flex-1 text-dense">
              <p className="truncate font-medium">{what}</p>
              <p className="tabular truncate text-ink-soft">
                {whom !== null && `${whom} · `}
                <ClockContext value={isReal ? THIS_MACHINE : clock}>
                  <Left until={until} />
                </ClockContext>
              </p>
            </div>
            <Button
              kind="quiet"
              className="px-3"
              aria-label={`Lift: ${[what, whom].filter(Boolean).join(', ')}`}
              isPending={isDoing(liftKind, id)}
              onPress={() => onLift(id)}
            >
              Lift
            </Button>
          </li>
        ))}
      </ul>
    </section>
  )
}

const THIS_MACHINE = { now: () => Date.now() }

function Left({ until }: { until: number }) {
  return `${leftWords(until - useNow(500))} left`
}
