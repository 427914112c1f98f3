import { useRef } from 'react'
import type { Shelving } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { Button } from '../../ui/button.tsx'
import { Time } from '../../ui/time.tsx'
import { useKeptFocus } from '../../ui/use-kept-focus.ts'
import { kindWords, nameOf } from './lines.ts'

type ShelvedListProps = { fleet: Fleet; shelved: readonly Shelving[]; onEnd: (shelving: Shelving) => void }

/** All that is shelved now, the first to end first: until when, why, by whom; ended early here. */
export function ShelvedList({ fleet, shelved, onEnd }: ShelvedListProps) {
  const list = useRef<HTMLUListElement>(null)
  const onFocus = useKeptFocus(list)
  if (shelved.length === 0) return null
  const rows = shelved.toSorted((a, b) => (a.until < b.until ? -1 : 1))
  return (
    <section
      aria-label="Shelved"
      className="max-h-1/2 shrink-0 overflow-y-auto border-line border-t px-3 py-2"
    >
      <h3 className="pb-1 font-semibold text-dense">{`Shelved ${shelved.length}`}</h3>
      <ul ref={list} onFocus={onFocus} className="flex flex-col gap-1">
        {rows.map((shelving) => {
          const { imei, type, until, reason, userName } = shelving
          const name = nameOf(fleet, imei)
          return (
            <li key={kindKey(shelving)} className="flex items-center gap-2 text-dense">
              <span className="min-w-0 flex-1">
                <span className="block truncate">
                  <span className="font-medium">{name}</span>
                  {` · ${kindWords(type)}`}
                </span>
                <span className="block truncate text-ink-soft">
                  {'until '}
                  <Time at={until} />
                  {` · ${reason} · ${userName}`}
                </span>
              </span>
              <Button kind="quiet" aria-label={`End early: ${name}`} onPress={() => onEnd(shelving)}>
                End early
              </Button>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
