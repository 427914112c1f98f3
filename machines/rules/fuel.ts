import { READING_FIELDS, type ReadingColumns } from '../contracts/readings.ts'

/**
 * What fuel a refrigerated truck burns, estimated: nothing on board measures it. Planning figures, not measurements:
 *
 * - driving 32 l/100 km, about what laden long-haul trucks burn in Europe (ICCT, 2015: 33 l/100 km);
 * - idling 3.0 l/h, a heavy diesel at idle (US Department of Energy, Argonne National Laboratory, 2015: 0.8 US gal/h);
 * - the diesel of the reefer 2.0 l/h while it cools, the middle of the 1 to 3 l/h its makers give for chilled and
 *   frozen goods. It is taken to cool where the cargo's temperature falls from one reading to the next.
 */
export const FUEL = { drivingPerKm: 0.32, idlingPerHour: 3, reeferPerHour: 2 } as const

const HOUR_MS = 3_600_000

/** Litres of one day's way and time; `idling` and `reefer` in ms. */
export function fuelOf({ km, idling, reefer }: { km: number; idling: number; reefer: number }) {
  const driving = km * FUEL.drivingPerKm
  const idle = (idling / HOUR_MS) * FUEL.idlingPerHour
  const cooling = (reefer / HOUR_MS) * FUEL.reeferPerHour
  return { driving, idling: idle, reefer: cooling, total: driving + idle + cooling }
}

const { missing: MISSING } = READING_FIELDS.temperature

/** Of the time between row `i - 1` and row `i` in which the reefer cooled: the temperature fell. */
export function followCooling(
  { length, at, temperature }: ReadingColumns,
  gapMs: number,
  visit: (i: number) => void,
): void {
  for (let i = 1; i < length; i++) {
    const [before, now] = [temperature[i - 1] as number, temperature[i] as number]
    if (before === MISSING || now === MISSING || now >= before) continue
    if ((at[i] as number) - (at[i - 1] as number) <= gapMs) visit(i)
  }
}
