import { Subject } from 'rxjs'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { sessionMachine } from '#machines/session/session.machine.ts'
import { session } from '#machines/session/session.samples.ts'
import type { Refreshed } from '#machines/session/session.ts'
import { setTimeZone, zoneName } from '../format/time.ts'
import type { Change } from '../streams/live-feed.ts'
import { createStore } from './store.ts'
import { applyTimeZone, followTimeZone } from './time-zone.ts'

const before = zoneName

function signedIn(timeZone: string | undefined, moved = timeZone) {
  const companyInfo = { groupId: 'indus', companyId: 'indus', timeZone }
  const exp = session.user.exp
  const refreshed: Refreshed = { ...session, exp, companyInfo: { ...companyInfo, timeZone: moved } }
  const actor = createActor(
    sessionMachine.provide({ actors: { refresh: fromPromise(async () => refreshed) } }),
    { input: { remembered: { ...session, companyInfo } } },
  ).start()
  onTestFinished(() => {
    actor.stop()
    setTimeZone(before)
  })
  return {
    session: actor,
    server: createStore({ simulator: false, timeZone: 'Asia/Karachi' }),
    reload: vi.fn(),
  }
}

test('times are of the zone of the visitor’s company, and of the server’s where that is not known', () => {
  applyTimeZone(signedIn('Europe/London'))
  expect(zoneName).toBe('Europe/London')
  applyTimeZone(signedIn(undefined))
  expect(zoneName).toBe('Asia/Karachi')
})

test.each([
  ['another zone begins the page anew', 'Europe/London', ['indus'], 1],
  ['the same zone leaves the page', 'Asia/Karachi', ['indus'], 0],
  ['another company leaves the page', 'Europe/London', ['karakoram'], 0],
])('a change of %s', async (_, zone, ids, reloads) => {
  const root = signedIn('Asia/Karachi', zone)
  applyTimeZone(root)
  const changes$ = new Subject<Change>()
  const stop = followTimeZone(root, { changes$ })
  changes$.next({ type: 'changed', subject: 'companies', ids, seq: 1 })
  await vi.waitFor(() => expect(root.session.getSnapshot().matches({ authenticated: 'fresh' })).toBe(true))
  expect(root.reload).toHaveBeenCalledTimes(reloads)
  stop()
})
