import { useEffect, useRef } from 'react'
import type { ChangedSubject } from '#machines/contracts/live-messages.ts'
import { useStore } from './store.ts'
import { useRoot } from './use-root.ts'

/**
 * Calls back when groups, users or settings that the visitor sees may be others than they were: because the server says
 * so, or because the link was cut and nobody could.
 * @param id of the one looked at; left out, any
 */
export function useChanges(subject: ChangedSubject, onChange: () => void, id?: string): void {
  const { live, link } = useRoot()
  const feed = useStore(live)?.feed
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    const subscription = feed?.changes$.subscribe((change) => {
      const isMeant = id === undefined || change.ids.length === 0 || change.ids.includes(id)
      if (change.subject === subject && isMeant) latest.current()
    })
    return () => subscription?.unsubscribe()
  }, [feed, subject, id])
  useEffect(() => {
    let wasCut = link.get().state === 'offline'
    return link.subscribe(() => {
      const { state } = link.get()
      if (state === 'live' && wasCut) latest.current()
      wasCut = state === 'offline' || (wasCut && state !== 'live')
    })
  }, [link])
}
