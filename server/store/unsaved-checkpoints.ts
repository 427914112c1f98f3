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
  function note(name: string, error: unknown): void {
    if (!unsaved.has(name)) warn(`checkpoint ${name} cannot be saved, retrying: ${String(error)}`)
    unsaved.add(name)
  }
  return {
    ...checkpoints,
    save(name, seq, bytes) {
      try {
        const isSaved = checkpoints.save(name, seq, bytes)
        unsaved.delete(name)
        return isSaved
      } catch (error) {
        note(name, `${String(error)} (${bytes.length} bytes)`)
        return false
      }
    },
    unsaved: note,
  }
}
