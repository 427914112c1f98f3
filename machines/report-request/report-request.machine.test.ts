import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import type { ReportChoice } from '../rules/report-request.ts'
import { reportRequestMachine } from './report-request.machine.ts'
import { BLANK, check, LAHORE, NOW } from './report-request.samples.ts'

/** The form, and a server that answers when the test says so. */
function opened() {
  const requests: ReportChoice[] = []
  const did: string[] = []
  let answer: { resolve(): void; reject(error: unknown): void } | undefined
  const actor = createActor(
    reportRequestMachine.provide({
      actors: {
        sendRequest: fromPromise(({ input }: { input: { choice: ReportChoice } }) => {
          requests.push(input.choice)
          return new Promise<void>((resolve, reject) => {
            answer = { resolve, reject }
          })
        }),
      },
      actions: { showLog: () => void did.push('log') },
    }),
    { input: { choice: BLANK, check } },
  ).start()
  const settled = () =>
    new Promise<void>((resolve) => {
      const look = () => !actor.getSnapshot().matches('sending') && resolve()
      actor.subscribe({ next: look, complete: look })
    })
  return {
    actor,
    requests,
    did,
    now: () => actor.getSnapshot(),
    submit: () => actor.send({ type: 'submit', now: NOW }),
    answer: async (how: 'taken' | Error) => {
      const whenSettled = settled()
      if (how === 'taken') answer?.resolve()
      else answer?.reject(how)
      await whenSettled
    },
  }
}

test('what is missing is said, and nothing is sent', () => {
  const { actor, requests, now, submit } = opened()
  submit()
  expect(now().context.faults).toEqual([
    { path: 'devices', message: 'Please select at least one group or device.' },
  ])
  expect(now().context.refusals).toBe(1)
  actor.send({ type: 'choose', patch: { devices: 'all' } })
  expect(now().context.faults).toEqual([])
  expect(requests).toEqual([])
})

test('is sent once however often it is pressed', async () => {
  const { actor, requests, submit, answer, now } = opened()
  actor.send({ type: 'choose', patch: { groups: LAHORE } })
  submit()
  submit()
  expect(requests).toEqual([{ ...BLANK, groups: LAHORE }])
  await answer('taken')
  submit()
  expect(requests).toHaveLength(1)
  expect(now().value).toBe('sent')
})

test('refused, it says why, keeps what was chosen, and may be sent again', async () => {
  const { actor, requests, submit, answer, now } = opened()
  actor.send({ type: 'choose', patch: { groups: LAHORE } })
  submit()
  await answer(new Error('No answer from the server'))
  expect([now().value, now().context.error]).toEqual(['failed', 'No answer from the server'])
  expect(now().context.choice.groups).toBe(LAHORE)
  submit()
  expect([requests.length, now().context.error]).toEqual([2, null])
  await answer('taken')
  expect(now().value).toBe('sent')
})

test('Cancel in the dialog leaves what was chosen; View Reports goes to the log', async () => {
  const { actor, did, submit, answer, now } = opened()
  actor.send({ type: 'choose', patch: { groups: LAHORE } })
  submit()
  await answer('taken')
  actor.send({ type: 'close' })
  expect([now().value, now().context.choice.groups]).toEqual(['choosing', LAHORE])
  submit()
  await answer('taken')
  actor.send({ type: 'view' })
  expect([now().status, did]).toEqual(['done', ['log']])
})

test('what is sent always passes the rules', () => {
  const DAY = 86_400_000
  const instant = fc.option(fc.integer({ min: NOW - 60 * DAY, max: NOW + 5 * DAY }))
  const choice = fc.record({
    groups: fc.constantFrom(LAHORE, BLANK.groups),
    devices: fc.constantFrom<ReportChoice['devices']>('all', new Set<string>(), new Set(['352093024171000'])),
    from: instant,
    to: instant,
  })
  fc.assert(
    fc.property(choice, (patch) => {
      const { actor, requests, submit } = opened()
      actor.send({ type: 'choose', patch })
      submit()
      const chosen = { ...BLANK, ...patch }
      expect(requests).toEqual(check(chosen, NOW).length === 0 ? [chosen] : [])
    }),
  )
})
