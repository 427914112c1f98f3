/**
 * Whether alarms can be worked with, after ISA-18.2 and IEC 62682: alarms are counted in slots of ten minutes; at most one a slot
 * is held manageable; a flood begins with a slot of more than ten and ends with one of fewer than five.
 */
export const SLOT_MS = 10 * 60_000
export const MANAGEABLE = 1
/** of the time in floods, at most */
export const FLOOD_AIM = 0.01
const BEGINS_ABOVE = 10
const ENDS_BELOW = 5

/** `first`, `end`: slots, the end is the first that is not of it any more. */
export type Flood = { first: number; end: number; alarms: number; peak: number }

/** @param slots alarms in each, oldest first. One that goes on at the end is a flood up to there. */
export function floodsOf(slots: ArrayLike<number>): Flood[] {
  const floods: Flood[] = []
  let flood: Flood | undefined
  for (let i = 0; i < slots.length; i++) {
    const alarms = slots[i] as number
    if (flood !== undefined && alarms < ENDS_BELOW) flood = undefined
    else if (flood === undefined && alarms > BEGINS_ABOVE) {
      flood = { first: i, end: i, alarms: 0, peak: 0 }
      floods.push(flood)
    }
    if (flood === undefined) continue
    flood.end = i + 1
    flood.alarms += alarms
    flood.peak = Math.max(flood.peak, alarms)
  }
  return floods
}

/** What was published in slots: all, a slot's mean and peak, floods and their share of the time (0 to 1). */
export type AlarmLoad = { told: number; mean: number; peak: number; floods: number; floodShare: number }

/**
 * @param slots alarms in each slot of ten minutes
 * @param floods those in `slots`, where they are known already
 */
export function loadOf(slots: ArrayLike<number>, floods: readonly Flood[] = floodsOf(slots)): AlarmLoad {
  let [told, peak, flooded] = [0, 0, 0]
  for (let i = 0; i < slots.length; i++) {
    const alarms = slots[i] as number
    told += alarms
    if (alarms > peak) peak = alarms
  }
  for (const { first, end } of floods) flooded += end - first
  const length = Math.max(1, slots.length)
  return { told, mean: told / length, peak, floods: floods.length, floodShare: flooded / length }
}

/** A device and kind chatters that opened so often within so long, ms (ours). */
export const CHATTER = 3
export const CHATTER_MS = 60 * 60_000

/** Most openings within the window. @param at ascending, epoch ms */
export function mostWithin(at: readonly number[], window = CHATTER_MS): number {
  let most = 0
  let from = 0
  for (const [i, time] of at.entries()) {
    while (time - (at[from] as number) > window) from++
    most = Math.max(most, i - from + 1)
  }
  return most
}

/** The value half of them do not exceed: of two in the middle their mean; null where there is none. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const sorted = Float64Array.from(values).sort()
  const middle = sorted.length >> 1
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] as number) + upper) / 2
}
