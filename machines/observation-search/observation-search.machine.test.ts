import { expect, test } from 'vitest'
import { createActor, fromCallback, fromPromise } from 'xstate'
import type { ObservationRow } from '../contracts/entities/devices.ts'
import { type ObservationQuery, observationSearchMachine } from './observation-search.machine.ts'
import { rowAt, START, WHOLE } from './observation-search.samples.ts'

function opened(load: (requests: ObservationQuery) => Promise<ObservationRow[]> = async () => [rowAt(0)]) {
  const requests: ObservationQuery[] = []
  let emit: (event: never) => void = () => {}
  let stopped = 0
  const actor = createActor(
    observationSearchMachine.provide({
      actors: {
        loadRows: fromPromise<readonly ObservationRow[], ObservationQuery>(({ input }) => {
          requests.push(input)
          return load(input)
        }),
        makeFile: fromCallback(({ sendBack }) => {
          emit = sendBack as typeof emit
          return () => {
            stopped++
          }
        }),
      },
    }),
    { input: { noDevice: 'Id is required.' } },
  ).start()
  return {
    actor,
    requests,
    emit: (event: { type: string; rows?: number; message?: string }) => emit(event as never),
    stopped: () => stopped,
    context: () => actor.getSnapshot().context,
    settled: () => expect.poll(() => actor.getSnapshot().matches('loading')).toBe(false),
  }
}

test('asks for nothing by itself, and says what is missing in the words of its table', () => {
  const { actor, requests, context } = opened()
  actor.send({ type: 'search', filter: { imei: '', start: null, hours: null } })
  expect(context().faults.map(({ message }) => message)).toEqual([
    'Id is required.',
    'Start date is required.',
    'Hours selection is required.',
  ])
  for (const hours of [0, 26, 1.5]) {
    actor.send({ type: 'search', filter: { ...WHOLE, hours } })
    expect(context().faults.map(({ path }) => path)).toEqual(['hours'])
  }
  expect(requests).toEqual([])
})

test('keeps what is shown with what it was asked for, until there is something else', async () => {
  const { actor, context, settled } = opened(async ({ hours }) => (hours === 1 ? [] : [rowAt(0)]))
  actor.send({ type: 'search', filter: WHOLE })
  await settled()
  expect(context().shown).toEqual({ rows: [rowAt(0)], requested: { ...WHOLE, start: START } })
  actor.send({ type: 'search', filter: { ...WHOLE, hours: 1 } })
  expect(context().shown?.requested.hours).toBe(12)
  await settled()
  expect(actor.getSnapshot().value).toBe('empty')
})

test('a file is made once, tells how far it is, and is left off when cancelled or something else is searched', async () => {
  const { actor, context, settled, emit, stopped } = opened()
  actor.send({ type: 'search', filter: WHOLE })
  await settled()
  actor.send({ type: 'download' })
  emit({ type: 'file.grew', rows: 40_000 })
  actor.send({ type: 'download' })
  expect(context().written).toBe(40_000)
  actor.send({ type: 'cancel' })
  expect([actor.getSnapshot().value, stopped()]).toEqual([{ shown: 'ready' }, 1])
  actor.send({ type: 'download' })
  expect(context().written).toBe(0)
  actor.send({ type: 'search', filter: WHOLE })
  expect(stopped()).toBe(2)
})

test('a file that cannot be made says why, and may be tried again', async () => {
  const { actor, context, settled, emit } = opened()
  actor.send({ type: 'search', filter: WHOLE })
  await settled()
  actor.send({ type: 'download' })
  emit({ type: 'file.failed', message: 'There is no room' })
  expect([actor.getSnapshot().value, context().error]).toEqual([{ shown: 'unmade' }, 'There is no room'])
  actor.send({ type: 'download' })
  emit({ type: 'file.saved' })
  expect([actor.getSnapshot().value, context().error]).toEqual([{ shown: 'ready' }, null])
})

test('a failure says why, and the same is asked for again', async () => {
  let isDown = true
  const { actor, requests, context, settled } = opened(async () => {
    if (isDown) throw new Error('The server did not answer')
    return [rowAt(0)]
  })
  actor.send({ type: 'search', filter: WHOLE })
  await settled()
  expect(context().error).toBe('The server did not answer')
  isDown = false
  actor.send({ type: 'retry' })
  await settled()
  expect(requests).toEqual([WHOLE, WHOLE])
  expect(context().shown?.rows).toHaveLength(1)
})
