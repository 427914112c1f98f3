import { useEffect, useRef } from 'react'
import type { ChangedSubject } from '#machines/contracts/live-messages.ts'
import { isLinked } from './link-status.ts'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

/**
 * Calls back when groups, users or settings that the visitor sees may be others than they were: because the server says
 * so, or because there was no live link yet, or none any more, and nobody could.
 * @param id of the one looked at; left out, any
 */
export function useChanges(subjects: readonly ChangedSubject[], onChange: () => void, id?: string): void {
  const { live, link } = useRoot()
  const feed = useStore(live)?.feed
  const latest = useRef({ subjects, onChange })
  useEffect(() => {
    latest.current = { subjects, onChange }
  })
  const isFollowed = subjects.length > 0
  useEffect(() => {
    if (!isFollowed) return
    const subscription = feed?.changes$.subscribe(({ subject, ids }) => {
      const isMeant = id === undefined || ids.length === 0 || ids.includes(id)
      if (latest.current.subjects.includes(subject) && isMeant) latest.current.onChange()
    })
    return () => subscription?.unsubscribe()
  }, [feed, isFollowed, id])
  useEffect(() => {
    if (!isFollowed) return
    let wasLive = isLinked(link.get())
    return link.subscribe(() => {
      const isLive = isLinked(link.get())
      if (isLive && !wasLive) latest.current.onChange()
      wasLive = isLive
    })
  }, [link, isFollowed])
}
