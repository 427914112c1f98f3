import type { ReadingColumns } from '#machines/contracts/readings.ts'

/** A reading that may be stored already. `batch`: the one it went into, if it was new; known once `decided` resolves. */
export type PendingReading<Batch> = {
  batch: Batch | undefined
  decided: Promise<void>
  /** where it is */
  readings: ReadingColumns
  row: number
}

/** What is done with pending rows: a look for what is stored of those that are, and where a row goes; undefined: nowhere. */
export type Deciding<Batch, Stored> = {
  look(rows: readonly number[]): Promise<Map<number, Stored>>
  accept(row: number): Batch
  acceptStored(row: number, stored: Stored | undefined): Batch | undefined
}

export type PendingDuplicates<Batch> = ReturnType<typeof createPendingDuplicates<Batch>>
export type PendingRows<Batch> = ReturnType<PendingDuplicates<Batch>['submission']>

/**
 * Readings of which the store has been asked whether it has them. The same reading coming meanwhile finds the first one
 * here and counts as its duplicate: neither counts as new because the other is not stored yet.
 */
export function createPendingDuplicates<Batch>() {
  const pending = new Map<string, PendingReading<Batch>>()
  const deciding = new Set<Promise<void>>()

  return {
    find: (device: number, at: number): PendingReading<Batch> | undefined =>
      pending.size === 0 ? undefined : pending.get(nameOf(device, at)),
    /** Resolves when all that is pending now is decided. */
    settled: () => Promise.allSettled(deciding),
    /** The pending rows of one submission, decided together and in their order. */
    submission() {
      type Row = {
        row: number
        name: string
        isStored: Promise<boolean> | false
        reading: PendingReading<Batch>
      }
      const rows: Row[] = []
      const devices = new Set<number>()
      const decided = Promise.withResolvers<void>()
      return {
        size: () => rows.length,
        /** whether a row of this device is pending: later rows of it must not overtake it */
        holdsBack: (device: number) => devices.has(device),
        add(row: number, readings: ReadingColumns, isStored: Promise<boolean> | false): void {
          const device = readings.device[row] as number
          const name = nameOf(device, readings.at[row] as number)
          const reading = { batch: undefined, decided: decided.promise, readings, row }
          devices.add(device)
          pending.set(name, reading)
          rows.push({ row, name, isStored, reading })
        },
        /** Decides on each row once the store has answered for all. Rejects as the store does. */
        async decide<Stored>({ look, accept, acceptStored }: Deciding<Batch, Stored>): Promise<void> {
          deciding.add(decided.promise)
          decided.promise.catch(() => {}) // there may be no duplicate that waits for it
          try {
            const isStored = await Promise.all(rows.map((row) => row.isStored))
            const known = rows.filter((_, i) => isStored[i]).map(({ row }) => row)
            const stored = known.length === 0 ? new Map<number, Stored>() : await look(known)
            for (const [i, { row, reading }] of rows.entries())
              reading.batch = isStored[i] ? acceptStored(row, stored.get(row)) : accept(row)
            decided.resolve()
          } catch (error) {
            decided.reject(error)
            throw error
          } finally {
            deciding.delete(decided.promise)
            for (const { name } of rows) pending.delete(name)
          }
        },
      }
    },
  }
}

const nameOf = (device: number, at: number): string => `${device} ${at}`
