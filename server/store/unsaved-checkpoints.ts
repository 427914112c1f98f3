import type { CheckpointStore } from './store.ts'

/**
 * Checkpoints whose saving ends nothing: one that fails (it is larger than the store takes, say) is not saved, and a start replays more.
 * Operators are warned once of which it is, until it can be saved.
 */
export function warnWhereUnsaved(
  checkpoints: CheckpointStore,
  warn: (message: string) => void,
): CheckpointStore {
  const unsaved = new Set<string>()
  return {
    ...checkpoints,
    save(name, seq, make) {
      let bytes: Uint8Array | undefined
      try {
        const isSaved = checkpoints.save(name, seq, () => {
          bytes = make()
          return bytes
        })
        unsaved.delete(name)
        return isSaved
      } catch (error) {
        const size = bytes === undefined ? '' : ` (${bytes.length} bytes)`
        if (!unsaved.has(name)) warn(`checkpoint ${name} cannot be saved, retrying: ${String(error)}${size}`)
        unsaved.add(name)
        return false
      }
    },
  }
}
