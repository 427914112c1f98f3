import { type ReactNode, useCallback } from 'react'
import type { FieldValue } from '#machines/record-form/merge.ts'
import { counted } from '#machines/rules/figures.ts'
import { EVALUATION_LABELS, evaluationValue, unitOf } from '../../format/group-words.ts'
import { formatCount } from '../../format/numbers.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { deviceChanges } from './device-changes.ts'

/** Devices named before the rest is only counted. */
const NAMED = 3

/** Values of a group's fields in words. `things`: the devices that both of a conflict began with. */
export function useShownValue(things: readonly string[]): (field: string, value: FieldValue) => ReactNode {
  const fleet = useFleetItself()
  return useCallback(
    (field, value) => {
      if (typeof value === 'object' && value !== null) {
        const now = new Set(value)
        const { added, removed } = deviceChanges(things, now)
        const nameOf = (imei: string) => {
          const row = fleet.names.rowOf(imei)
          return row < 0 ? imei : fleet.names.of(row, 'name')
        }
        const before = new Set(things)
        const came = value.filter((imei) => !before.has(imei)).slice(0, NAMED)
        const went = things.filter((imei) => !now.has(imei)).slice(0, NAMED)
        return (
          <>
            <span className="block">{counted(value.length, 'device')}</span>
            <Few word="Added" names={came.map(nameOf)} count={added} />
            <Few word="Let go" names={went.map(nameOf)} count={removed} />
          </>
        )
      }
      if (field === 'parentId') return fleet.groups.list[fleet.groups.indexOf(String(value))]?.name ?? value
      if (Object.hasOwn(EVALUATION_LABELS, field)) return evaluationValue(field, value)
      if (value === '' || value === null) return 'nothing'
      return unitOf(field) === undefined ? value : `${value} ${unitOf(field)}`
    },
    [fleet, things],
  )
}

function Few({ word, names, count }: { word: string; names: readonly string[]; count: number }) {
  if (count === 0) return null
  const more = count - names.length
  return (
    <span className="block text-dense text-ink-soft">
      {`${word}: ${names.join(', ')}${more > 0 ? ` and ${formatCount(more)} more` : ''}`}
    </span>
  )
}
