import { type Choice, MOST_CHOSEN } from '../format/page-address.ts'
import type { Fleet } from './fleet.ts'

type Picked = 'all' | ReadonlySet<string>
/** Ids there are to pick from. */
type Ids = Iterable<string> & { has(id: string): boolean }

export const groupIds = ({ groups }: Fleet): Ids => new Set(groups.list.map(({ _id }) => _id))

/** Looked up in the fleet as it is then, with nothing copied. */
export const imeis = ({ names, columns }: Fleet): Ids => ({
  has: (imei) => names.rowOf(imei) >= 0,
  *[Symbol.iterator]() {
    for (let row = 0; row < columns.size; row++) yield names.of(row, 'imei')
  },
})

/** What is picked as an address says it: where too many are picked, what is left out of all. */
export function choiceOf(picked: Picked, ids: Ids): Choice {
  if (picked === 'all' || picked.size <= MOST_CHOSEN) return picked
  const but = new Set<string>()
  for (const id of ids) {
    if (picked.has(id)) continue
    if (but.size === MOST_CHOSEN) return 'many'
    but.add(id)
  }
  return but.size === 0 ? 'all' : { but }
}

/**
 * What an address asks for of all there are; a choice of which nothing is left is all. undefined: they were too many for it.
 */
export function pickedBy(choice: Choice, ids: Ids): Picked | undefined {
  if (choice === 'many') return undefined
  if (choice === 'all') return choice
  if ('but' in choice) {
    const left = new Set(ids)
    const { size } = left
    for (const id of choice.but) left.delete(id)
    return left.size === 0 || left.size === size ? 'all' : left
  }
  const left = new Set([...choice].filter((id) => ids.has(id)))
  return left.size === 0 && choice.size > 0 ? 'all' : left
}
