/** What becomes of a reading of which the store is asked whether it has it: `batch` it went into, if it was new. */
export type Fate<Batch> = { batch: Batch | undefined; decided: Promise<void> }

/**
 * Readings that wait for the store's word on whether it has them. The same reading coming meanwhile finds the first one
 * here and shares its fate: neither is taken for new because the other is not stored yet.
 */
export function createPendingDuplicates<Batch>() {
  const fates = new Map<string, Fate<Batch>>()
  const deciding = new Set<Promise<void>>()

  return {
    /** the fate of this reading, where it waits already */
    find: (device: number, at: number): Fate<Batch> | undefined =>
      fates.size === 0 ? undefined : fates.get(nameOf(device, at)),
    /** Resolves when all that waits now is decided. */
    settled: () => Promise.allSettled(deciding),
    /** The doubtful rows of one submission, decided together and in their order. */
    submission() {
      const rows: { row: number; name: string; isStored: Promise<boolean> | false; fate: Fate<Batch> }[] = []
      const devices = new Set<number>()
      const decided = Promise.withResolvers<void>()
      return {
        size: () => rows.length,
        /** whether a row of this device waits: those after it must not overtake it */
        holdsBack: (device: number) => devices.has(device),
        add(row: number, device: number, at: number, isStored: Promise<boolean> | false): void {
          const name = nameOf(device, at)
          const fate = { batch: undefined, decided: decided.promise }
          devices.add(device)
          fates.set(name, fate)
          rows.push({ row, name, isStored, fate })
        },
        /** Calls `accept` for each row that is new, once the store has answered for all. Rejects as the store does. */
        async decide(accept: (row: number) => Batch): Promise<void> {
          deciding.add(decided.promise)
          decided.promise.catch(() => {}) // nobody need share this fate
          try {
            const isStored = await Promise.all(rows.map((row) => row.isStored))
            for (const [i, { row, fate }] of rows.entries()) if (!isStored[i]) fate.batch = accept(row)
            decided.resolve()
          } catch (error) {
            decided.reject(error)
            throw error
          } finally {
            deciding.delete(decided.promise)
            for (const { name } of rows) fates.delete(name)
          }
        },
      }
    },
  }
}

const nameOf = (device: number, at: number): string => `${device} ${at}`
