import type { ReadingColumns } from '#machines/contracts/readings.ts'
import { decodeChunk } from './chunks/chunk.ts'
import { inOrder } from './hot-tail.ts'
import { joined, partBetween } from './reading-parts.ts'

/** One device's readings as the store has them: quickly handed out, to be unpacked on another thread. */
export type PackedReadings = {
  device: number
  /** encoded chunks of each day, those stored first first */
  days: { day: number; chunks: Uint8Array[] }[]
  /** not encoded yet, in order of arrival */
  tail: ReadingColumns
}

/** The readings with from ≤ at < to, ascending by `at`, each once: what `telemetry.history` answers. */
export function unpackReadings(
  { device, days, tail }: PackedReadings,
  from: number,
  to: number,
): ReadingColumns {
  const parts = days.map(({ day, chunks }) =>
    inOrder(joined(chunks.map((bytes) => decodeChunk(bytes, device, day)))),
  )
  return partBetween(inOrder(joined([...parts, tail])), from, to)
}
