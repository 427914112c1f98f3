/** Which table of the record, or the file as a whole. */
export const DAMAGED_TABLES = ['file', 'facts', 'batches', 'chunks'] as const
export type DamagedTable = (typeof DAMAGED_TABLES)[number]

/** A part of the record that is not what was written. */
export type DamagedPart = {
  table: DamagedTable
  /** names the row in its table: number of a fact or batch, device, day and place of a chunk */
  key: string
  /** number of the device it is of; null: not of one */
  device: number | null
  /** first and last time (epoch ms) that may be missing; null: unknown */
  from: number | null
  to: number | null
  reason: string
}

/** Times of a device whose readings cannot be answered, epoch ms, both included. */
export type DamagedSpan = { from: number; to: number }

/** What is known to be damaged. Whoever reads a damaged row notes it here and goes on without it. */
export type DamageRegister = {
  /** the same part again says nothing new */
  note(part: DamagedPart): void
  /** what was damaged is whole again, or was put back from a backup */
  clear(isWhole: (part: DamagedPart) => boolean): void
  list(): DamagedPart[]
  /** of one device, ascending, those that touch from ≤ t < to; what overlaps is one */
  spansOf(device: number, from: number, to: number): DamagedSpan[]
  /** hears of each part once, from now on; answers how to stop */
  onNoted(listener: (part: DamagedPart) => void): () => void
}

/** Parts kept by name. Beyond them a backup is the remedy, and the first ones say so. */
const MOST = 10_000

/** @param known parts that were found before; listeners hear nothing of those */
export function createDamageRegister(known: readonly DamagedPart[] = []): DamageRegister {
  const parts = new Map(known.map((part) => [nameOf(part), part]))
  const listeners = new Set<(part: DamagedPart) => void>()
  return {
    note(part) {
      const name = nameOf(part)
      if (parts.has(name) || parts.size >= MOST) return
      parts.set(name, part)
      for (const listener of listeners) listener(part)
    },
    clear(isWhole) {
      for (const [name, part] of parts) if (isWhole(part)) parts.delete(name)
    },
    list: () => [...parts.values()],
    spansOf(device, from, to) {
      if (parts.size === 0) return []
      const found = [...parts.values()].flatMap((part): DamagedSpan[] =>
        part.device === device && part.from !== null && part.to !== null && part.from < to && part.to >= from
          ? [{ from: part.from, to: part.to }]
          : [],
      )
      return joinedSpans(found)
    },
    onNoted(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

/** The same part has the same name on every node. */
export const nameOf = ({ table, key }: Pick<DamagedPart, 'table' | 'key'>): string => `${table} ${key}`

/** Ascending, with those that overlap or touch as one. What is given stays as it is. */
export function joinedSpans(spans: readonly DamagedSpan[]): DamagedSpan[] {
  const joined: DamagedSpan[] = []
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last !== undefined && span.from <= last.to) last.to = Math.max(last.to, span.to)
    else joined.push({ ...span })
  }
  return joined
}
