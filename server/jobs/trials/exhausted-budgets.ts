import { type Directory, deviceByImei } from '#machines/projections/directory.ts'
import type { Quantity } from '#machines/rules/limits.ts'

/** When a budget of a load was exhausted, epoch ms. */
export type Exhausted = { imei: string; at: number }

/** When budgets of loads on these devices were exhausted, by what late readings have made of them. All budgets are of temperature. */
export function exhaustedBudgets(
  directory: Directory,
  quantity: Quantity,
  things: readonly string[],
): Exhausted[] {
  if (quantity !== 'temperature') return []
  const { ofDevice, byId } = directory.loads
  return things.flatMap((imei) =>
    (ofDevice.get(deviceByImei(directory, imei)?.no ?? -1) ?? []).flatMap((loadId) => {
      const at = byId.get(loadId)?.exhausted?.at
      return at === undefined ? [] : [{ imei, at }]
    }),
  )
}
