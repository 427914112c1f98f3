import fc from 'fast-check'
import type { Reading } from '#machines/contracts/readings.ts'

const MINUTE = 60_000

/** What a device measured at a time, a slot each five minutes: nothing where it was silent; `late`: it came so many minutes later. */
type Slot = { temperature: number | undefined; isSilent: boolean; late: number }

/** A morning of a device, from six slots on. */
export const lateMorning = (temperatures: readonly (number | undefined)[], maxLength: number) =>
  fc.array(
    fc.record({
      temperature: fc.constantFrom(...temperatures),
      isSilent: fc.constantFrom(false, false, false, true),
      late: fc.constantFrom(0, 0, 0, 7, 33, 95),
    }),
    { minLength: 6, maxLength },
  )

type Receiving = { receive(minute: number, readings: Reading[]): Promise<unknown> }

/**
 * Gives the mornings of devices 0, 1, 2… to two records minute by minute: to `real` as they came, to `ordered` as they were measured.
 * @param start epoch ms of minute 0
 * @param before what happens first in a minute
 */
export async function receiveMornings(
  mornings: readonly (readonly Slot[])[],
  { start, minutes }: { start: number; minutes: number },
  { real, ordered }: { real: Receiving; ordered: Receiving },
  before: (minute: number) => unknown,
): Promise<void> {
  const rows = mornings.flatMap((slots, device) =>
    slots.flatMap(({ temperature, isSilent, late }, i) => {
      const row: Reading = {
        device,
        at: start + 5 * i * MINUTE,
        ...(temperature !== undefined && { temperature }),
      }
      return isSilent ? [] : [{ late, minute: 5 * i, row }]
    }),
  )
  for (let minute = 0; minute < minutes; minute++) {
    await before(minute)
    await real.receive(
      minute,
      rows.filter((one) => one.minute + one.late === minute).map(({ row }) => row),
    )
    await ordered.receive(
      minute,
      rows.filter((one) => one.minute === minute).map(({ row }) => row),
    )
  }
}
