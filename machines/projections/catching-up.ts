import type { ReadingColumns } from '../contracts/readings.ts'
import { isForgotten, type Silence, takeReceived } from '../rules/catching-up.ts'
import { LEAST_GAP_MS } from '../rules/gap.ts'
import type { Latest } from './latest.ts'

/**
 * What devices that were silent still have to deliver, by device number. `newestAt`, `heardAt`: of every device, the time of its
 * newest reading and when it was last heard, 0: never. `sweptAt`: when what is forgotten was last dropped. Epoch ms.
 */
export type CatchingUp = {
  silences: Map<number, Silence>
  newestAt: Float64Array
  heardAt: Float64Array
  sweptAt: number
}

/** Received time between two looks for what is forgotten, ms. */
const SWEEP_EVERY = 10_000

/** Goes on from what is known of the devices, and of silences that were saved. */
export function catchingUpFrom(
  { readings }: Latest,
  silences: CatchingUp['silences'] = new Map(),
): CatchingUp {
  return { silences, newestAt: readings.at.slice(), heardAt: readings.at.slice(), sweptAt: 0 }
}

/** Folds a batch in, in place. @param gapOf of a device number: two readings no further apart are in a row, ms */
export function applyCatchingUp(
  catchingUp: CatchingUp,
  gapOf: (deviceNo: number) => number,
  batch: ReadingColumns,
  recordedAt: number,
): void {
  const receivedAt = Math.floor(recordedAt)
  const { silences } = catchingUp
  for (let i = 0; i < batch.length; i++) {
    const no = batch.device[i] as number
    if (no >= catchingUp.newestAt.length) grow(catchingUp, no + 1)
    const at = Math.min(batch.at[i] as number, receivedAt)
    const before = catchingUp.newestAt[no] as number
    const known = silences.get(no)
    if (known !== undefined || receivedAt - before > LEAST_GAP_MS) {
      const heardAt = catchingUp.heardAt[no] as number
      const silence = takeReceived(known, { at, receivedAt, before, heardAt, gap: gapOf(no) })
      if (silence === undefined) silences.delete(no)
      else silences.set(no, silence)
    }
    if (at > before) catchingUp.newestAt[no] = at
    catchingUp.heardAt[no] = receivedAt
  }
  if (silences.size > 0 && Math.abs(receivedAt - catchingUp.sweptAt) >= SWEEP_EVERY)
    sweep(catchingUp, receivedAt)
}

function sweep(catchingUp: CatchingUp, now: number): void {
  catchingUp.sweptAt = now
  for (const [no, silence] of catchingUp.silences)
    if (isForgotten(silence, now)) catchingUp.silences.delete(no)
}

function grow(catchingUp: CatchingUp, size: number): void {
  for (const name of ['newestAt', 'heardAt'] as const) {
    const larger = new Float64Array(Math.max(size, catchingUp[name].length * 2))
    larger.set(catchingUp[name])
    catchingUp[name] = larger
  }
}
