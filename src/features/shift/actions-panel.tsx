import { Link } from 'wouter'
import type { ShiftAction } from '#machines/contracts/entities/shift.ts'
import { clockTime, writtenDay } from '../../format/time.ts'
import { PastTime } from '../../layout/past/past-time.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { CountedPanel } from './counted-panel.tsx'
import { actionWords, doerWords } from './shift-words.ts'

/** Who did what about incidents, newest first; each day is named once, as one may have been away for many. */
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
          {rows.map((one, i) => {
            const row = names.rowOf(one.imei)
            const day = writtenDay(one.at)
            const before = rows[i - 1]
            return (
              <li
                key={`${one.at} ${one.imei} ${one.action}`}
                className="border-line border-t px-4 py-2 first:border-t-0"
              >
                {(before === undefined || writtenDay(before.at) !== day) && (
                  <span className="tabular block pb-1 text-dense text-ink-soft">{day}</span>
                )}
                <div className="flex gap-3">
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
                </div>
              </li>
            )
          })}
        </ol>
      )}
    </CountedPanel>
  )
}
