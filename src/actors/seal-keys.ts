import { SEAL_CALLS } from '#machines/contracts/calls/seal-calls.ts'
import type { SealKey } from '#machines/contracts/entities/seals.ts'
import { saveOfflinePage } from '../effects/offline-page.ts'
import type { Failure } from './failure-words.ts'
import { useActing } from './use-acting.ts'
import { useKeptAnswer } from './use-kept-answer.ts'

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
