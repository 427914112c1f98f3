import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { type Load, type ValidFilter, violationSearchMachine } from './violation-search.machine.ts'
import { EARLIER, LAST_DAY, NOW } from './violation-search.samples.ts'

const HOUR = 3_600_000

/** `answers` are given one after the other; an Error fails. */
async function opened(...answers: (number | Error)[]) {
  const requests: ValidFilter[] = []
  const quietly: boolean[] = []
  const actor = createActor(
    violationSearchMachine<number>().provide({
      actors: {
        load: fromPromise<number, Load>(async ({ input }) => {
          requests.push(input.filter)
          quietly.push(input.isBackground)
          const answer = answers.shift() ?? 0
          if (answer instanceof Error) throw answer
          return answer
        }),
      },
    }),
    { input: { filter: LAST_DAY, now: NOW, timeZone: 'Asia/Karachi' } },
  ).start()
  const settled = () =>
    new Promise<void>((resolve) => {
      const check = () => !actor.getSnapshot().matches('loading') && resolve()
      actor.subscribe(check)
      check()
    })
  await settled()
  return { actor, requests, quietly, settled, context: () => actor.getSnapshot().context }
}

test('is asked for at once, and says of when the answer is', async () => {
  const { requests, context } = await opened(7)
  expect(requests).toEqual([LAST_DAY])
  expect(context().shown).toEqual({ answer: 7, filter: LAST_DAY, at: NOW })
})

test('a wrong filter is refused in words and asks for nothing; what is shown stays', async () => {
  const { actor, requests, context, settled } = await opened(7, 8)
  const range = { from: NOW, to: NOW - HOUR }
  actor.send({ type: 'search', filter: { ...LAST_DAY, devices: [], range }, now: NOW })
  expect(context().faults).toEqual([
    { path: 'from', message: 'Start date cannot be greater than end date' },
    { path: 'devices', message: 'Please select Devices' },
  ])
  expect(requests).toHaveLength(1)
  expect(context().shown?.answer).toBe(7)
  actor.send({ type: 'search', filter: EARLIER, now: NOW })
  expect(context().faults).toEqual([])
  await settled()
  expect(context().shown).toMatchObject({ answer: 8, filter: EARLIER })
})

test('counts what happens meanwhile, and is up to now again when asked for again', async () => {
  const { actor, requests, quietly, context, settled } = await opened(7, 9)
  actor.send({ type: 'violation' })
  actor.send({ type: 'violation' })
  expect(context()).toMatchObject({ news: 2, shown: { answer: 7 } })
  actor.send({ type: 'refresh', now: NOW + HOUR })
  await settled()
  expect(requests[1]?.range).toEqual({ from: NOW - 23 * HOUR, to: NOW + HOUR })
  expect(quietly, 'behind what is shown').toEqual([false, true])
  expect(context()).toMatchObject({ news: 0, shown: { answer: 9, at: NOW + HOUR } })
})

test('one told while the answer is on its way is counted: the answer may lack it', async () => {
  const { actor, context, settled } = await opened(7, 8)
  actor.send({ type: 'refresh', now: NOW + HOUR })
  actor.send({ type: 'violation' })
  await settled()
  expect(context()).toMatchObject({ news: 1, shown: { answer: 8 } })
})

test('of the past nothing new happens, and an end beyond now stays', async () => {
  const { actor, requests, context, settled } = await opened(7, 8, 9)
  actor.send({ type: 'search', filter: EARLIER, now: NOW })
  await settled()
  actor.send({ type: 'violation' })
  expect(context().news).toBe(0)
  const today = { ...LAST_DAY, range: { from: NOW - HOUR, to: NOW + 6 * HOUR } }
  actor.send({ type: 'search', filter: today, now: NOW })
  await settled()
  actor.send({ type: 'refresh', now: NOW + HOUR })
  await settled()
  expect(requests.at(-1)).toEqual(today)
})

test('a failure says why and leaves what was shown; the next try may work', async () => {
  const { actor, context, settled } = await opened(7, new Error('The server did not answer'), 8)
  actor.send({ type: 'refresh', now: NOW })
  await settled()
  expect(context()).toMatchObject({ error: 'The server did not answer', shown: { answer: 7 } })
  actor.send({ type: 'refresh', now: NOW })
  await settled()
  expect(context()).toMatchObject({ error: null, shown: { answer: 8 } })
})
