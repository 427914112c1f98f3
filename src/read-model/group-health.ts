import { VIOLATIONS, violationBit } from '#machines/contracts/device-state.ts'
import type { Fleet } from './fleet.ts'
import { isNearLimit } from './rank.ts'
import { SEVERITY_OF } from './severity.ts'

/**
 * How a group is, with all below it: violations that are open, the worst of them by its index in SEVERITIES (0: none), and devices
 * that may be next: near a limit, or beyond one but not yet for long enough.
 */
export type GroupHealth = { open: number; worst: number; near: number }

/** Open violations by state byte. */
const OPEN_OF = Uint8Array.from(
  { length: 256 },
  (_, state) => VIOLATIONS.filter((type) => (state & violationBit(type)) !== 0).length,
)

/** Of each group by its id; one look at every device. */
export function healthOf({
  columns,
  groups,
}: Pick<Fleet, 'columns' | 'groups'>): ReadonlyMap<string, GroupHealth> {
  const own = groups.list.map(() => ({ open: 0, worst: 0, near: 0 }))
  for (let row = 0; row < columns.size; row++) {
    const state = columns.state[row] as number
    const count = OPEN_OF[state] as number
    const health = own[columns.group[row] as number]
    if (health === undefined) continue
    if (isNearLimit(columns.rank[row] as number)) health.near++
    if (count === 0) continue
    health.open += count
    health.worst = Math.max(health.worst, SEVERITY_OF[state] as number)
  }
  const found = new Map<string, GroupHealth>()
  for (const { _id } of groups.list) {
    const below = groups.within(_id).map((id) => own[groups.indexOf(id)] as GroupHealth)
    found.set(_id, {
      open: below.reduce((sum, { open }) => sum + open, 0),
      worst: below.reduce((worst, one) => Math.max(worst, one.worst), 0),
      near: below.reduce((sum, { near }) => sum + near, 0),
    })
  }
  return found
}

/** So that nothing is drawn anew for the same. */
export const isSameHealth = (
  a: ReadonlyMap<string, GroupHealth>,
  b: ReadonlyMap<string, GroupHealth>,
): boolean =>
  a.size === b.size &&
  [...a].every(([id, { open, worst, near }]) => {
    const other = b.get(id)
    return other?.open === open && other.worst === worst && other.near === near
  })

/** The worst first, then those with more that is open, then those where more may be next. */
export const byHealth = (a: GroupHealth | undefined, b: GroupHealth | undefined): number =>
  (b?.worst ?? 0) - (a?.worst ?? 0) || (b?.open ?? 0) - (a?.open ?? 0) || (b?.near ?? 0) - (a?.near ?? 0)
