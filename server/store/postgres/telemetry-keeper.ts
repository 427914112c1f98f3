import type { Query } from './session.ts'
import {
  type ArchivePlace,
  type ArchiveState,
  type ChangeOptions,
  changeArchive,
  Overtaken,
  readState,
} from './telemetry-state.ts'

/** What this node knows of how far the archive is, and its way to go on with it. */
export type ArchiveKeeper = ReturnType<typeof createArchiveKeeper>

/** @param onCompacted called with the number up to which batches are compacted, by whatever node */
export function createArchiveKeeper(place: ArchivePlace, onCompacted: (through: number) => void) {
  let known: ArchiveState | undefined

  function learn(state: ArchiveState): void {
    if (known === undefined || state.version > known.version) known = state
    onCompacted(state.doneThrough)
  }

  async function refresh(): Promise<void> {
    learn(await place.database.ask((sql) => readState(sql, place.epoch)))
  }

  return {
    refresh,
    /** as last heard of; asked for where nothing was heard, or what was heard proved wrong */
    async state(): Promise<ArchiveState> {
      if (known === undefined) await refresh()
      return known as unknown as ArchiveState
    },
    /** Goes on from `from`, see changeArchive; false where another node did meanwhile, and nothing is written. */
    async change(
      from: ArchiveState,
      write: (sql: Query) => Promise<ArchiveState>,
      options?: ChangeOptions,
    ): Promise<boolean> {
      try {
        learn(await changeArchive(place, from, write, options))
        return true
      } catch (error) {
        known = undefined
        if (error instanceof Overtaken) return false
        throw error
      }
    },
  }
}
