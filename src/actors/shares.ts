import { useState } from 'react'
import { SHARE_CALLS } from '#machines/contracts/calls/share-calls.ts'
import type { Share } from '#machines/contracts/entities/shares.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { copyText } from '../effects/clipboard.ts'
import { useActing } from './use-acting.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** The address of a link, as it is sent. */
export const addressOf = ({ path }: Share): string => `${location.origin}${path}`

/** The links to a device: made and copied in one press, listed, ended. */
export function useShares(imei: string) {
  const { http, toasts } = useRoot()
  const { answer, failure, ask } = useKeptAnswer(SHARE_CALLS.shares, { params: { imei } })
  const { isActing, act } = useActing()
  const [made, setMade] = useState<Share>()
  const copy = async (share: Share) => {
    if (await copyText(addressOf(share))) toasts.success('Link copied')
  }
  return {
    shares: answer,
    failure,
    ask,
    isActing,
    /** the link made last, to be seen and copied by hand */
    made,
    copy,
    make: ({ from, to }: Range, days: number) =>
      act(async () => {
        const body = { startDate: Math.round(from), endDate: Math.round(to), days }
        const share = await http.ask(SHARE_CALLS.makeShare, { params: { imei }, body })
        setMade(share)
        ask()
        await copy(share)
      }),
    end: (share: Share) =>
      act(async () => {
        await http.ask(SHARE_CALLS.revokeShare, { params: { imei, shareId: share._id } })
        if (made?._id === share._id) setMade(undefined)
        ask()
        toasts.success('The link shows nothing any more')
      }),
  }
}
