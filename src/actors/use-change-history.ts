import { useCallback, useState } from 'react'
import { DEVICE_CALLS } from '#machines/contracts/calls/device-calls.ts'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { USER_CALLS } from '#machines/contracts/calls/user-calls.ts'
import type { Change } from '#machines/contracts/entities/changes.ts'
import type { CallOptions, Http } from '../effects/http.ts'
import { firstRows } from './first-rows.ts'
import { type KeptAnswer, useKept } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

const CALLS = { groups: GROUP_CALLS.groupHistory, users: USER_CALLS.userHistory }
/** `devices`: by IMEI */
type Subject = keyof typeof CALLS | 'devices'
const PAGE = 20
const FORBIDDEN = 403

export type ChangeHistoryState = KeptAnswer<Loaded> & {
  /** the visitor is no manager */
  isForbidden: boolean
  isLoadingMore: boolean
  loadMore(): void
}

/** `total`: how many there are in all. */
type Loaded = { changes: readonly Change[]; total: number }

/** Who changed what of a group, user or device, newest first; follows new changes. */
export function useChangeHistory(subject: Subject, id: string): ChangeHistoryState {
  const { http } = useRoot()
  const [wanted, setWanted] = useState(PAGE)
  const { answer, failure, isOld, ask } = useKept({
    key: `${subject} ${id} ${wanted}`,
    about: `${subject} ${id}`,
    request: (options) => firstOf(http, subject, id, wanted, options),
    changes: [subject === 'devices' ? 'groups' : subject],
    ...(subject === 'devices' ? {} : { id }),
  })
  return {
    answer,
    failure,
    ask,
    isForbidden: failure?.status === FORBIDDEN,
    isLoadingMore: isOld,
    loadMore: useCallback(() => setWanted((n) => n + PAGE), []),
  }
}

/** The newest so many, by as many calls as it takes. */
async function firstOf(
  http: Http,
  subject: Subject,
  id: string,
  wanted: number,
  options: CallOptions,
): Promise<Loaded> {
  let total = 0
  const changes = await firstRows(wanted, async (skip, limit) => {
    const query = { skip, limit }
    const answer =
      subject === 'devices'
        ? await http.ask(DEVICE_CALLS.thingHistory, { params: { imei: id }, query }, options)
        : await http.ask(CALLS[subject], { params: { id }, query }, options)
    total = answer.total
    return answer.changes
  })
  return { changes, total }
}
