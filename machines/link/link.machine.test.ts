import { describe, expect, test } from 'vitest'
import { createActor, fromCallback, SimulatedClock } from 'xstate'
import { LIVE_CLOSE } from '../contracts/live-messages.ts'
import { BACK_OFF, backOff, type LinkEvent, linkMachine } from './link.machine.ts'
import { AT, cut, refused } from './link.samples.ts'

/** A link whose sockets are counted: how many were opened, and how many of them are open. */
function start() {
  const clock = new SimulatedClock()
  const sockets = { opened: 0, open: 0 }
  const connection = fromCallback<LinkEvent>(() => {
    sockets.opened++
    sockets.open++
    return () => {
      sockets.open--
    }
  })
  const actor = createActor(linkMachine.provide({ actors: { connection } }), { clock, input: { at: AT } })
  actor.start()
  return { actor, clock, sockets, context: () => actor.getSnapshot().context }
}

describe('a link', () => {
  test('keeps one socket while it is online, and closes it when it is stopped', () => {
    const { actor, sockets, context } = start()
    actor.send({ type: 'opened' })
    expect(actor.getSnapshot().matches({ linking: 'online' })).toBe(true)
    expect(sockets).toEqual({ opened: 1, open: 1 })
    expect(context()).toEqual({ failures: 0, offlineSince: null, ending: null })
    actor.stop()
    expect(sockets.open).toBe(0)
  })

  test('waits longer the more often it fails, and is quick again once it was online', () => {
    const { actor, clock, sockets } = start()
    for (const [i, delay] of [...BACK_OFF, 10_000].entries()) {
      actor.send(cut)
      clock.increment(delay - 1)
      expect(sockets.opened).toBe(i + 1)
      clock.increment(1)
      expect(sockets.opened).toBe(i + 2)
    }
    actor.send({ type: 'opened' })
    actor.send(cut)
    clock.increment(BACK_OFF[0])
    expect(actor.getSnapshot().matches({ linking: 'connecting' })).toBe(true)
  })

  test('gives up on a socket that does not open', () => {
    const { actor, clock, sockets } = start()
    clock.increment(10_000)
    expect(actor.getSnapshot().matches('backingOff')).toBe(true)
    expect(sockets.open).toBe(0)
  })

  test('whose user has too many windows open waits for some to be closed, or for who says so', () => {
    const { actor, clock, sockets } = start()
    actor.send({ type: 'closed', code: LIVE_CLOSE.crowded, reason: 'too many windows', at: AT })
    clock.increment(299_999)
    expect(sockets.opened).toBe(1)
    clock.increment(1)
    expect(sockets.opened).toBe(2)
    actor.send({ type: 'closed', code: LIVE_CLOSE.crowded, reason: 'too many windows', at: AT })
    actor.send({ type: 'retry' })
    expect(sockets.opened).toBe(3)
    actor.send({ type: 'closed', code: 1006, reason: '', at: AT })
    clock.increment(10_000)
    expect(sockets.opened).toBe(4)
  })

  test('which is not answered after there were too many windows tries again as after any failure', () => {
    const { actor, clock, sockets, context } = start()
    actor.send({ type: 'closed', code: LIVE_CLOSE.crowded, reason: 'too many windows', at: AT })
    actor.send({ type: 'retry' })
    clock.increment(10_000)
    expect(context().ending).toBeNull()
    clock.increment(10_000)
    expect(sockets.opened).toBe(3)
  })

  test('does not hammer a server that refuses it, unless there is something new to say', () => {
    const { actor, clock, sockets, context } = start()
    actor.send(refused)
    expect(context().ending).toEqual({ code: refused.code, reason: refused.reason })
    clock.increment(9999)
    expect(sockets.opened).toBe(1)
    actor.send({ type: 'retry' })
    expect(sockets.opened).toBe(2)
  })

  test('comes again at once, and was never offline, when its token ran out while it was online', () => {
    const { actor, sockets, context } = start()
    actor.send({ type: 'opened' })
    actor.send(refused)
    expect(sockets).toEqual({ opened: 2, open: 1 })
    expect(context()).toMatchObject({ failures: 0 })
  })

  test('does not come at once when that token is refused too, nor for what it does not understand', () => {
    const { actor, sockets } = start()
    actor.send({ type: 'opened' })
    actor.send(refused)
    actor.send(refused)
    expect(sockets).toEqual({ opened: 2, open: 0 })
    actor.send({ type: 'retry' })
    actor.send({ type: 'opened' })
    actor.send({ ...refused, code: 4402 })
    expect(sockets).toEqual({ opened: 3, open: 0 })
  })

  test('comes again with a new token at once, though it is online', () => {
    const { actor, sockets } = start()
    actor.send({ type: 'opened' })
    actor.send({ type: 'retry' })
    expect(sockets).toEqual({ opened: 2, open: 1 })
    expect(actor.getSnapshot().matches({ linking: 'connecting' })).toBe(true)
  })

  test('says since when it is offline: the first moment, not the last try', () => {
    const { actor, clock, context } = start()
    actor.send({ type: 'opened' })
    actor.send({ ...cut, at: AT + 1000 })
    clock.increment(BACK_OFF[0])
    actor.send({ ...cut, at: AT + 5000 })
    expect(context().offlineSince).toBe(AT + 1000)
  })

  test('says so too where it was made anew at once and nobody let it in', () => {
    const { actor, clock, context } = start()
    actor.send({ type: 'opened' })
    actor.send({ ...refused, at: AT + 1000 })
    clock.increment(10_000)
    expect(actor.getSnapshot().matches('backingOff')).toBe(true)
    expect(context()).toMatchObject({ failures: 1, offlineSince: AT + 1000 })
  })

  test('does not try without a network, and does at once when it is back', () => {
    const { actor, clock, sockets } = start()
    actor.send({ type: 'opened' })
    actor.send({ type: 'networkLost', at: AT })
    expect(sockets.open).toBe(0)
    clock.increment(100_000)
    expect(sockets.opened).toBe(1)
    actor.send({ type: 'networkBack' })
    expect(sockets.opened).toBe(2)
  })

  test('never waits less than the first nor more than the last of the list', () => {
    expect([0, 1, 6, 7, 1e6].map(backOff)).toEqual([250, 250, 10_000, 10_000, 10_000])
  })
})
