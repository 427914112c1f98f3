import type { SimAction, SimFault } from '#machines/contracts/calls/sim-calls.ts'

/** Faults that were begun together, as one line. `lift`: ids of the faults or, where they have one, of what began them. */
export type FaultRow = Pick<SimFault, 'id' | 'fault' | 'from' | 'until'> & { imeis: string[]; lift: string[] }

/** The faults in force at a moment, those that came together as one, the newest first. `now`: epoch ms of the world. */
export function faultRows(
  faults: readonly SimFault[],
  actions: readonly Pick<SimAction, 'id'>[],
  now: number,
): FaultRow[] {
  const known = new Set(actions.map(({ id }) => id))
  const rows = new Map<string, FaultRow>()
  for (const { id, imei, fault, from, until } of faults) {
    if (from > now + A_STEP || until <= now + A_STEP) continue
    const action = actionOf(id)
    const key = known.has(action) ? action : [fault, from, until].join()
    const row = rows.get(key) ?? { id, fault, from, until, imeis: [], lift: [] }
    row.imeis.push(imei)
    row.lift = known.has(action) ? [action] : [...row.lift, id]
    rows.set(key, row)
  }
  return [...rows.values()].sort((a, b) => b.from - a.from)
}

/** Faults begin and end with the next step of the world, which may stand still: within that, ms, they have. */
const A_STEP = 1000

/** One of many that an action began is called like it, with a number behind; one that was brought back, with another. */
const actionOf = (faultId: string): string => faultId.replace(/_\d+$/, '').replace(/-\d+$/, '')
