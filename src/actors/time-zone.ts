import { setTimeZone, zoneName } from '../format/time.ts'
import type { LiveFeed } from '../streams/live-feed.ts'
import type { Root } from './root.ts'

/** Has times told in the zone of the visitor's company; where nobody is signed in, in the server's. */
export function applyTimeZone({ session, server }: Pick<Root, 'session' | 'server'>): void {
  const zone = session.getSnapshot().context.session?.companyInfo.timeZone ?? server.get()?.timeZone
  if (zone !== undefined) setTimeZone(zone)
}

/** Where the company moves to another zone, its pages begin anew in that. Answers how to stop. */
export function followTimeZone(
  { session, reload }: Pick<Root, 'session' | 'reload'>,
  { changes$ }: Pick<LiveFeed, 'changes$'>,
): () => void {
  const applied = zoneName
  const company = () => session.getSnapshot().context.session?.companyInfo
  const asking = changes$.subscribe(({ subject, ids }) => {
    // new tokens come with what the company is now
    if (subject === 'companies' && ids.includes(company()?.companyId ?? ''))
      session.send({ type: 'refresh.due' })
  })
  const following = session.subscribe(() => {
    if ((company()?.timeZone ?? applied) !== applied) reload()
  })
  return () => {
    asking.unsubscribe()
    following.unsubscribe()
  }
}
