import { useCallback, useEffect, useRef, useState } from 'react'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import type { Change } from '#machines/contracts/entities/changes.ts'
import { CallRefused } from '../effects/call-failures.ts'
import { useChanges } from './use-changes.ts'
import { useRoot } from './use-root.ts'

const CALLS = { groups: GROUP_CALLS.groupHistory, users: USER_CALLS.userHistory }
const PAGE = 20
/** More a call does not answer. */
const MOST = 100

export type ChangeHistoryState = {
  /** `forbidden`: the visitor is no manager */
  state: 'loading' | 'ready' | 'failed' | 'forbidden'
  changes: readonly Change[]
  /** how many there are in all */
  total: number
  message: string
  isLoadingMore: boolean
  loadMore(): void
  retry(): void
}

type Loaded = { changes: readonly Change[]; total: number }
type Outcome = { wanted: number; loaded: Loaded } | { wanted: number; error: unknown }

/** Who changed what of a group or user, newest first; follows new changes. */
export function useChangeHistory(subject: keyof typeof CALLS, id: string): ChangeHistoryState {
  const { http } = useRoot()
  const [wanted, setWanted] = useState(PAGE)
  const [round, setRound] = useState(0)
  const [outcome, setOutcome] = useState<Outcome>()
  const again = useCallback(() => setRound((n) => n + 1), [])
  useChanges(subject, again, id)
  /** more is wanted by the visitor; anew it is asked for behind what is shown */
  const isShown = useRef(false)
  useEffect(() => {
    isShown.current = outcome !== undefined && outcome.wanted === wanted
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again
  useEffect(() => {
    const aborter = new AbortController()
    const page = (skip: number) =>
      http.ask(
        CALLS[subject],
        { params: { id }, query: { skip, limit: Math.min(MOST, wanted - skip) } },
        { signal: aborter.signal, isBackground: isShown.current },
      )
    async function all(): Promise<Loaded> {
      const first = await page(0)
      const changes = [...first.changes]
      while (changes.length < Math.min(wanted, first.total)) {
        const next = await page(changes.length)
        if (next.changes.length === 0) break
        changes.push(...next.changes)
      }
      return { changes, total: first.total }
    }
    all().then(
      (loaded) => setOutcome({ wanted, loaded }),
      (error: unknown) => {
        if (!aborter.signal.aborted) setOutcome({ wanted, error })
      },
    )
    return () => aborter.abort()
  }, [http, subject, id, wanted, round])

  const error = outcome !== undefined && 'error' in outcome ? outcome.error : undefined
  const loaded = outcome !== undefined && 'loaded' in outcome ? outcome.loaded : { changes: [], total: 0 }
  return {
    state: outcome === undefined ? 'loading' : error === undefined ? 'ready' : stateOf(error),
    ...loaded,
    message: error instanceof Error ? error.message : '',
    isLoadingMore: outcome !== undefined && outcome.wanted !== wanted,
    loadMore: useCallback(() => setWanted((n) => n + PAGE), []),
    retry: again,
  }
}

const stateOf = (error: unknown) =>
  error instanceof CallRefused && error.status === 403 ? 'forbidden' : 'failed'
