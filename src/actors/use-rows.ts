import { useCallback, useState } from 'react'
import type { ChangedSubject } from '#machines/contracts/live-messages.ts'
import type { CallOptions } from '../effects/http.ts'
import { firstRows } from './first-rows.ts'
import { type KeptAnswer, useKept } from './use-kept-answer.ts'

const PAGE = 50

export type Rows<T> = Pick<KeptAnswer<T>, 'failure' | 'ask'> & {
  /** undefined before the first answer */
  rows: readonly T[] | undefined
  hasMore: boolean
  isLoadingMore: boolean
  loadMore: () => void
}

/**
 * The first rows of a list, and more when they are wanted; all that are there are asked for again with `ask()`, and when one
 * of `changes` happens.
 */
export function useRows<T extends { _id: string }>(
  page: (query: { skip: number; limit: number }, options: CallOptions) => Promise<readonly T[]>,
  changes: readonly ChangedSubject[] = [],
): Rows<T> {
  const [wanted, setWanted] = useState(PAGE)
  const { answer, failure, isOld, ask } = useKept({
    key: `${wanted}`,
    about: '',
    changes,
    async request(options) {
      // one more than is shown says whether there are more
      const rows = await firstRows(wanted + 1, (skip, limit) => page({ skip, limit }, options))
      // one that moved on between two calls is in both
      const each = new Map(rows.slice(0, wanted).map((row) => [row._id, row]))
      return { rows: [...each.values()], hasMore: rows.length > wanted }
    },
  })
  return {
    rows: answer?.rows,
    hasMore: answer?.hasMore ?? false,
    failure,
    ask,
    isLoadingMore: isOld,
    loadMore: useCallback(() => setWanted((n) => n + PAGE), []),
  }
}
