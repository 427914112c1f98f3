import { Link } from 'wouter'
import type { ShiftAction } from '#machines/contracts/entities/shift.ts'
import { clockTime } from '../../format/time.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { CountedPanel } from './counted-panel.tsx'
import { actionWords, doerWords } from './shift-words.ts'

/** Who did what about incidents, newest first. */
export function ActionsPanel({ actions, count }: { actions: readonly ShiftAction[]; count: number }) {
  const { names } = useFleetItself()
  return (
    <CountedPanel
      title="Done"
      rows={actions}
      count={count}
      empty="Nobody acknowledged, took, shelved or commented."
    >
      {(rows) => (
        <ol aria-label="Done" className="flex flex-col">
          {rows.map((one) => {
            const row = names.rowOf(one.imei)
            return (
              <li
                key={`${one.at} ${one.imei} ${one.action}`}
                className="flex gap-3 border-line border-t px-4 py-2 first:border-t-0"
              >
                <PastTime
                  at={one.at}
                  imei={one.imei}
                  as={clockTime}
                  className="tabular shrink-0 text-ink-soft"
                />
                <p className="min-w-0 break-words">
                  <span className="font-medium">{doerWords(one)}</span> {actionWords(one)}
                  <Link
                    href={`/temperature/${one.imei}`}
                    className="block text-dense text-ink-soft hover:underline"
                  >
                    {row < 0 ? one.imei : names.of(row, 'name')}
                  </Link>
                </p>
              </li>
            )
          })}
        </ol>
      )}
    </CountedPanel>
  )
}
