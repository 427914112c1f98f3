import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import type { Picked } from '../rules/report-request.ts'
import { type ScheduleFields, scheduleFieldFaults } from '../rules/schedule-fields.ts'
import { scheduleFormMachine } from './schedule-form.machine.ts'
import { OTHER, WEEKLY, WHOLE } from './schedule-form.samples.ts'

type Saved = { id: string | null; version: string | null; fields: ScheduleFields }

/** The form, and a server that answers when the test says so. */
function opened() {
  const saved: Saved[] = []
  const deleted: string[] = []
  const messages: string[] = []
  let answer: { resolve(): void; reject(error: unknown): void } | undefined
  const answered = () =>
    new Promise<void>((resolve, reject) => {
      answer = { resolve, reject }
    })
  const actor = createActor(
    scheduleFormMachine.provide({
      actors: {
        saveSchedule: fromPromise(({ input }: { input: Saved }) => {
          saved.push(input)
          return answered()
        }),
        deleteSchedule: fromPromise(({ input }: { input: { id: string } }) => {
          deleted.push(input.id)
          return answered()
        }),
      },
      actions: { announce: (_, { message }) => void messages.push(message) },
    }),
  ).start()
  const now = () => actor.getSnapshot()
  const faults = () => Object.fromEntries(now().context.faults.map(({ path, message }) => [path, message]))
  return {
    actor,
    saved,
    deleted,
    messages,
    now,
    faults,
    fill: (patch: Partial<ScheduleFields>) => actor.send({ type: 'fill', patch }),
    async answer(how: 'taken' | Error): Promise<void> {
      const settled = new Promise<void>((resolve) => {
        actor.subscribe((state) => {
          if (!state.matches('saving') && !state.matches('deleting')) resolve()
        })
      })
      if (how === 'taken') answer?.resolve()
      else answer?.reject(how)
      await settled
    },
  }
}

test('all that is missing is said at once, and nothing is sent', () => {
  const { actor, saved, now, faults } = opened()
  actor.send({ type: 'submit' })
  expect(faults()).toEqual({
    groups: 'Please select at least one group.',
    vehicles: 'Please select at least one vehicle.',
    emails: 'Please enter at least one email.',
    interval: 'Please select interval.',
    reportTypes: 'Please select at least one report type.',
  })
  expect([now().value, now().context.refusals, saved]).toEqual(['creating', 1, []])
})

test('an address is one of the schedule once it is entered, and only if it is one', () => {
  const { actor, now, fill, faults } = opened()
  fill({ email: 'desk@indus' })
  actor.send({ type: 'email.enter' })
  expect([faults(), now().context.fields.emails]).toEqual([{ emails: 'Invalid email address' }, []])
  fill({ email: ' desk@indus.example ' })
  expect(faults()).toEqual({})
  actor.send({ type: 'email.enter' })
  fill({ email: 'Desk@Indus.example' })
  actor.send({ type: 'email.enter' })
  expect([now().context.fields.emails, now().context.fields.email]).toEqual([['desk@indus.example'], ''])
})

test('an address still in the field is saved with the others, and stops Save where it is none', () => {
  const { actor, saved, faults, fill } = opened()
  fill({ ...WHOLE, email: 'x@' })
  actor.send({ type: 'submit' })
  expect([faults(), saved]).toEqual([{ emails: 'Invalid email address' }, []])
  fill({ email: 'night@indus.example' })
  actor.send({ type: 'submit' })
  expect(saved[0]?.fields.emails).toEqual(['desk@indus.example', 'night@indus.example'])
})

test('saved once however often it is pressed, then the form is blank and says so', async () => {
  const { actor, saved, messages, now, fill, answer } = opened()
  fill(WHOLE)
  actor.send({ type: 'submit' })
  actor.send({ type: 'submit' })
  await answer('taken')
  expect(saved.map(({ id }) => id)).toEqual([null])
  expect(messages).toEqual(['Report scheduled successfully'])
  expect([now().value, now().context.fields.emails]).toEqual(['creating', []])
})

test('a schedule that is changed is saved as itself, and the form goes back to a new one', async () => {
  const { actor, saved, messages, now, fill, answer } = opened()
  actor.send({ type: 'edit', schedule: WEEKLY })
  expect(now().context.fields).toMatchObject({ interval: 'Weekly', emails: WEEKLY.emails, speed: 80 })
  fill({ interval: 'Monthly' })
  actor.send({ type: 'submit' })
  await answer('taken')
  expect(saved.map(({ id, fields }) => [id, fields.interval])).toEqual([['weekly', 'Monthly']])
  expect([messages, now().value, now().context.editing]).toEqual([
    ['Report schedule updated'],
    'creating',
    null,
  ])
})

test('a distance that is no longer asked for does not stop Save', () => {
  const { actor, saved, faults, fill } = opened()
  const times = { startTime: '08:00', endTime: '18:00' }
  fill({ ...WHOLE, ...times, reportTypes: ['vehicleTravelReport'], vehicleTravelDistance: Number.NaN })
  actor.send({ type: 'submit' })
  expect([Object.keys(faults()), saved]).toEqual([['vehicleTravelDistance'], []])
  fill({ reportTypes: ['POWER_REPORT'] })
  actor.send({ type: 'submit' })
  expect([faults(), saved.length]).toEqual([{}, 1])
})

test('what could not be saved is still there, in the mode it was in', async () => {
  const { actor, now, fill, answer } = opened()
  actor.send({ type: 'edit', schedule: WEEKLY })
  fill({ emails: ['night@indus.example'] })
  actor.send({ type: 'submit' })
  await answer(new Error('No answer from the server'))
  expect([now().value, now().context.error]).toEqual(['editing', 'No answer from the server'])
  expect(now().context.fields.emails).toEqual(['night@indus.example'])
  fill({ interval: 'Daily' })
  expect(now().context.error).toBeNull()
})

test('No deletes nothing; Yes deletes, and what was being typed stays', async () => {
  const { actor, deleted, messages, now, fill, answer } = opened()
  fill({ interval: 'Daily' })
  actor.send({ type: 'delete.ask', id: OTHER._id })
  actor.send({ type: 'delete.no' })
  expect([now().value, deleted]).toEqual(['creating', []])
  actor.send({ type: 'delete.ask', id: OTHER._id })
  actor.send({ type: 'delete.yes' })
  await answer(new Error('No answer from the server'))
  expect([now().value, now().context.error]).toEqual(['confirmingDelete', 'No answer from the server'])
  actor.send({ type: 'delete.yes' })
  await answer('taken')
  expect([deleted, messages, now().value]).toEqual([
    ['other', 'other'],
    ['Report Schedule Deleted'],
    'creating',
  ])
  expect([now().context.fields.interval, now().context.error]).toEqual(['Daily', null])
})

test('a schedule deleted while it is being changed leaves a blank form; another one does not', async () => {
  const { actor, now, answer } = opened()
  actor.send({ type: 'edit', schedule: WEEKLY })
  actor.send({ type: 'delete.ask', id: OTHER._id })
  actor.send({ type: 'delete.yes' })
  await answer('taken')
  expect([now().value, now().context.editing]).toEqual(['editing', 'weekly'])
  actor.send({ type: 'delete.ask', id: WEEKLY._id })
  actor.send({ type: 'delete.yes' })
  await answer('taken')
  expect([now().value, now().context.editing, now().context.fields.interval]).toEqual(['creating', null, ''])
})

test('what is sent always passes the rules', () => {
  const fields = fc.record({
    groups: fc.constantFrom<Picked>('all', new Set<string>(), new Set(['lahore'])),
    vehicles: fc.constantFrom<Picked>('all', new Set<string>(), new Set(['352093024171000'])),
    interval: fc.constantFrom('', 'Daily', 'TenDays', 'Hourly'),
    emails: fc.array(fc.constantFrom('a@b.example', 'a@b', '')),
    email: fc.constantFrom('', ' ', 'c@d.example', 'c@'),
    reportTypes: fc.subarray(['POWER_REPORT', 'GeoFenceTrackReport']),
    speed: fc.constantFrom(0, 80, 200.5),
  })
  fc.assert(
    fc.property(fields, (patch) => {
      const { actor, saved, fill, now } = opened()
      fill(patch)
      actor.send({ type: 'submit' })
      if (saved[0]) expect(scheduleFieldFaults(saved[0].fields)).toEqual([])
      else expect(now().context.faults).not.toEqual([])
    }),
  )
})
