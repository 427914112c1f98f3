import { type Checksum, isSound, OTHER_THAN_WRITTEN, sumOfChunk } from './checksums.ts'
import { countIn, DAY, decodeTimes } from './chunks/chunk.ts'
import type { DamagedSpan, DamageRegister } from './damage.ts'

/** Of a device and day: a damaged chunk may claim any number of them. */
const MOST_READINGS = 1_000_000

/** A chunk as it was read: `fault` where it is not what was written, `bytes` where it could be read at all. */
export type ReadChunk = {
  device: number
  day: number
  /** names it among those of its device and day */
  place: string | number
  bytes?: Uint8Array | undefined
  fault?: string | undefined
}

/** Why a chunk is not to be used; undefined: it is as it was written. */
export const chunkFault = (bytes: Uint8Array, sum: Checksum | undefined): string | undefined =>
  isSound(sum, () => sumOfChunk(bytes)) ? undefined : OTHER_THAN_WRITTEN

/** The key under which a damaged chunk is in the register. */
export const chunkKey = ({ device, day, place }: Pick<ReadChunk, 'device' | 'day' | 'place'>): string =>
  `${device} ${day} ${place}`

const isWhole = <Chunk extends ReadChunk>(chunk: Chunk): chunk is Chunk & { bytes: Uint8Array } =>
  chunk.fault === undefined && chunk.bytes !== undefined

/**
 * Those of one device and day that are as they were written, in their order; the others are noted as damaged.
 * @param mark behind the keys of damaged ones: the row they name is of something else from now on
 */
export function soundChunks<Chunk extends ReadChunk>(
  chunks: readonly Chunk[],
  damage: DamageRegister,
  mark = '',
): (Chunk & { bytes: Uint8Array })[] {
  const sound = chunks.filter((one) => isWhole(one))
  if (sound.length === chunks.length) return sound
  for (const [i, chunk] of chunks.entries()) {
    const { device, fault } = chunk
    if (fault === undefined) continue
    damage.note({
      table: 'chunks',
      key: `${chunkKey(chunk)}${mark}`,
      device,
      ...spanOf(chunk, chunks.slice(0, i), chunks.slice(i + 1)),
      reason: fault,
    })
  }
  return sound
}

/** The times a damaged chunk names, where they are of its day; else what lies between its neighbours. */
function spanOf(chunk: ReadChunk, before: ReadChunk[], after: ReadChunk[]): DamagedSpan {
  const { day } = chunk
  const own = timesOf(chunk)
  if (own !== undefined) return own
  const last = before.filter((one) => isWhole(one)).flatMap((one) => timesOf(one)?.to ?? [])
  const next = after.filter((one) => isWhole(one)).flatMap((one) => timesOf(one)?.from ?? [])
  const from = Math.max(day * DAY, ...last)
  const to = Math.min((day + 1) * DAY - 1, ...next)
  return from <= to ? { from, to } : { from: day * DAY, to: (day + 1) * DAY - 1 }
}

function timesOf({ bytes, day }: ReadChunk): DamagedSpan | undefined {
  if (bytes === undefined) return undefined
  try {
    if (countIn(bytes) > MOST_READINGS) return undefined
    const times = decodeTimes(bytes, day)
    const [from, to] = [times[0], times.at(-1)]
    if (from === undefined || to === undefined) return undefined
    return from >= day * DAY && to < (day + 1) * DAY && from <= to ? { from, to } : undefined
  } catch {
    return undefined
  }
}
