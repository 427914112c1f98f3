import { SEAL_CALLS } from '#machines/contracts/calls/seal-calls.ts'
import type { ConsistencyProof, SealKey } from '#machines/contracts/entities/seals.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { saveOfflinePage } from '../effects/offline-page.ts'
import type { Failure } from './failure-words.ts'
import { useActing } from './use-acting.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** The public keys that this server signs its record with; undefined while they are on their way. */
export function useSealKeys(): { keys: readonly SealKey[] | undefined; failure: Failure | null } {
  const { answer, failure } = useKeptAnswer(SEAL_CALLS.sealKeys, {}, { isBackground: true })
  return { keys: answer?.keys, failure }
}

/** Hands over the page of `/verify` as one file that needs no network. */
export function useOfflinePage(): { isSaving: boolean; save: (keys: readonly SealKey[]) => Promise<void> } {
  const { isActing, act } = useActing()
  return { isSaving: isActing, save: (keys) => act(() => saveOfflinePage(keys)) }
}

/** Asks this server for what shows that its record begins with that of so many entries. Rejects with words, also where there is none. */
export function useProofOf(): (size: number) => Promise<ConsistencyProof> {
  const { http } = useRoot()
  return async (from) => {
    try {
      return await http.ask(SEAL_CALLS.sealConsistency, { query: { from } }, { isBackground: true })
    } catch (error) {
      if (error instanceof CallRefused && error.status === 404) throw new Error(TOO_SHORT)
      throw error
    }
  }
}

const TOO_SHORT =
  'The record of this server has fewer entries than this head: its end is gone, or the mail comes from another server.'
