import type { SimFault } from '#machines/contracts/calls/sim-calls.ts'

/** Faults that were begun together, as one line. `id`: of any of them, which is as good as of all. */
export type FaultRow = Pick<SimFault, 'id' | 'fault' | 'from' | 'until'> & { imeis: string[] }

/** The faults in force at a moment, those that came together as one, the newest first. `now`: epoch ms of the world. */
export function faultRows(faults: readonly SimFault[], now: number): FaultRow[] {
  const rows = new Map<string, FaultRow>()
  for (const { id, imei, fault, from, until } of faults) {
    if (from > now || until <= now) continue
    const key = [fault, from, until].join()
    const row = rows.get(key)
    if (row === undefined) rows.set(key, { id, fault, from, until, imeis: [imei] })
    else row.imeis.push(imei)
  }
  return [...rows.values()].sort((a, b) => b.from - a.from)
}
