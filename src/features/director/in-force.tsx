import type { Doing } from '#machines/director/doings.ts'
import { Button } from '../../ui/button.tsx'
import { useNow } from '../../ui/clock-context.ts'
import { useDoing } from './use-doing.ts'
import { leftWords } from './words.ts'

type Row = { id: string; what: string; whom: string | null; until: number }
type Props = {
  title: string
  nothing: string
  /** which clock it runs out by: the world's, which may stand, or the wall's */
  clock: 'world' | 'real'
  rows: readonly Row[]
  liftKind: Extract<Doing['kind'], 'fault.lift' | 'link.lift'>
  onLift: (id: string) => void
}

/** What is wrong now by the director's hand: what it is, how long it lasts, and a way to end it. */
export function InForce({ title, nothing, clock, rows, liftKind, onLift }: Props) {
  const { isDoing } = useDoing()
  const worldNow = useNow(500)
  const now = clock === 'world' ? worldNow : Date.now()
  return (
    <section aria-label={title} className="flex flex-col gap-1">
      <h3 className="font-medium text-dense text-ink-soft">{title}</h3>
      {rows.length === 0 && <p className="text-dense text-ink-faint">{nothing}</p>}
      <ul className="flex flex-col gap-px">
        {rows.map(({ id, what, whom, until }) => (
          <li key={id} className="flex min-h-11 items-center gap-2 rounded-small bg-sunken py-1 pr-1 pl-3">
            <div className="min-w-0 flex-1 text-dense">
              <p className="truncate font-medium">{what}</p>
              <p className="tabular truncate text-ink-soft">
                {whom !== null && `${whom} · `}
                {leftWords(until - now)} left
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
