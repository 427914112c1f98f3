import { expect, test } from 'vitest'
import { keepLeadership } from './leadership.ts'

/** A cluster that a test tells who leads, and a leading that says what becomes of it. */
function clusterDouble() {
  const messages: string[] = []
  const errors: unknown[] = []
  const steps: string[] = []
  let leads = false
  let listener = (_: boolean): unknown => undefined
  let isStopped = false
  /** what a begin waits for, and a stop */
  const gates = { begin: Promise.resolve(), stop: Promise.resolve() }
  const failures: Error[] = []
  const options = {
    cluster: {
      leads: () => leads,
      onLeadership(heard: (leads: boolean) => unknown) {
        listener = heard
        return () => {
          isStopped = true
        }
      },
      stepDown: (why: string) => void steps.push(why),
    },
    async begin(signal: AbortSignal) {
      messages.push('begin')
      await gates.begin
      const failure = failures.shift()
      if (failure) throw failure
      messages.push(signal.aborted ? 'begun too late' : 'begun')
      return {
        async stop() {
          messages.push('stop')
          await gates.stop
          messages.push('stopped')
        },
      }
    },
    onError: (error: unknown) => errors.push(error),
    retryMs: 1,
  }
  return {
    ...{ messages, errors, steps, gates, failures, options, isStopped: () => isStopped },
    lead(now: boolean) {
      leads = now
      return listener(now)
    },
    leads(now: boolean) {
      leads = now
    },
  }
}
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('it begins before it answers where this node leads, and ends with the server', async () => {
  const { options, messages, leads, isStopped } = clusterDouble()
  leads(true)
  const leadership = await keepLeadership(options)
  expect([messages, leadership.current() === undefined]).toEqual([['begin', 'begun'], false])
  await leadership.stop()
  expect([messages, leadership.current(), isStopped()]).toEqual([
    ['begin', 'begun', 'stop', 'stopped'],
    undefined,
    true,
  ])
})

test('it begins and ends as the lead goes round, and begins no more before the last is over', async () => {
  const { options, messages, gates, lead } = clusterDouble()
  const leadership = await keepLeadership(options)
  expect(messages).toEqual([])
  lead(true)
  await settled()
  const over = Promise.withResolvers<void>()
  gates.stop = over.promise
  lead(false)
  // at once, and not in its turn
  expect([messages, leadership.current()]).toEqual([['begin', 'begun', 'stop'], undefined])
  lead(true)
  await settled()
  expect(messages).toEqual(['begin', 'begun', 'stop'])
  over.resolve()
  await settled()
  expect(messages).toEqual(['begin', 'begun', 'stop', 'stopped', 'begin', 'begun'])
  await leadership.stop()
})

test('it is over for the cluster when all that leading began has ended', async () => {
  const { options, messages, gates, leads, lead } = clusterDouble()
  leads(true)
  const leadership = await keepLeadership(options)
  const last = Promise.withResolvers<void>()
  gates.stop = last.promise
  const over = Promise.resolve(lead(false)).then(() => messages.push('over'))
  await settled()
  expect(messages).toEqual(['begin', 'begun', 'stop'])
  last.resolve()
  await over
  expect(messages).toEqual(['begin', 'begun', 'stop', 'stopped', 'over'])
  await leadership.stop()
})

test('what was begun too late is ended, and nobody sees it', async () => {
  const { options, messages, gates, lead } = clusterDouble()
  const leadership = await keepLeadership(options)
  const slow = Promise.withResolvers<void>()
  gates.begin = slow.promise
  lead(true)
  await settled()
  lead(false)
  slow.resolve()
  await leadership.stop()
  expect([messages, leadership.current()]).toEqual([
    ['begin', 'begun too late', 'stop', 'stopped'],
    undefined,
  ])
})

test('leading that is over while the server comes up fails no start, and begins again when it is to', async () => {
  const { options, messages, gates, leads, lead } = clusterDouble()
  const slow = Promise.withResolvers<void>()
  gates.begin = slow.promise
  leads(true)
  const coming = keepLeadership(options)
  lead(false)
  lead(true)
  slow.resolve()
  const leadership = await coming
  while (leadership.current() === undefined) await settled()
  expect(messages).toEqual(['begin', 'begun too late', 'stop', 'stopped', 'begin', 'begun'])
  await leadership.stop()
})

test('one that cannot begin says why, lets another lead, and tries again; the first one of all fails the start', async () => {
  const { options, messages, errors, steps, failures, lead } = clusterDouble()
  const leadership = await keepLeadership(options)
  failures.push(new Error('no'), new Error('not yet'))
  lead(true)
  while (leadership.current() === undefined) await settled()
  expect([messages, errors]).toEqual([
    ['begin', 'begin', 'begin', 'begun'],
    [new Error('no'), new Error('not yet')],
  ])
  expect(steps).toEqual(['Error: no', 'Error: not yet'])
  await leadership.stop()
  const first = clusterDouble()
  first.failures.push(new Error('never'))
  first.leads(true)
  await expect(keepLeadership(first.options)).rejects.toThrow('never')
})
