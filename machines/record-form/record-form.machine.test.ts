import { expect, test } from 'vitest'
import { createActor, fromPromise, SimulatedClock } from 'xstate'
import type { Fields } from './merge.ts'
import { type FormRecord, type Resumed, recordFormMachine, type SaveResult } from './record-form.machine.ts'
import { after, before, check, theirs } from './record-form.samples.ts'

/** The form, and a server that answers at once with what the test gives it. */
async function opened(
  record: FormRecord = before,
  {
    answers = [{ kind: 'saved', record: after }] as (SaveResult | Error)[],
    reload,
    resumed,
  }: { answers?: (SaveResult | Error)[]; reload?: Error; resumed?: Resumed } = {},
) {
  const newer = { ...before, fields: { ...before.fields, name: 'Newer' }, version: '8' }
  const loads = [record, newer]
  const saved: { fields: Fields; version: string | null }[] = []
  const announced: unknown[] = []
  const failures: unknown[] = []
  const clock = new SimulatedClock()
  const actor = createActor(
    recordFormMachine.provide({
      actors: {
        load: fromPromise(async ({ input: { isBackground } }) => {
          if (isBackground && reload) throw reload
          return loads.shift() ?? newer
        }),
        save: fromPromise(async ({ input: { fields, version } }: { input: FormRecord }) => {
          saved.push({ fields, version })
          const answer = answers.shift()
          if (answer === undefined || answer instanceof Error) throw answer ?? new Error('asked too often')
          return answer
        }),
      },
      actions: {
        announce: (_, { entity }) => announced.push(entity),
        showFailure: (_, { error }) => failures.push(error),
      },
    }),
    { input: { check, resumed }, clock },
  ).start()
  const settled = () =>
    new Promise<void>((resolve) => {
      const look = () =>
        !['loading', 'refreshing', 'saving'].some((busy) => actor.getSnapshot().matches(busy as 'saving')) &&
        resolve()
      look()
      actor.subscribe({ next: look, complete: look })
    })
  await settled()
  return {
    actor,
    saved,
    announced,
    failures,
    settled,
    now: () => actor.getSnapshot(),
    /** nobody types for so many ms */
    pass: (ms: number) => clock.increment(ms),
  }
}

const rename = { type: 'edit', patch: { name: 'Far north' } } as const

test('is saved once however often Save is pressed, under the version it was read at', async () => {
  const { actor, saved, announced, settled, now } = await opened()
  actor.send(rename)
  actor.send({ type: 'submit' })
  actor.send({ type: 'submit' })
  await settled()
  expect(saved).toEqual([{ fields: { name: 'Far north', things: ['1', '2'] }, version: '7' }])
  expect(announced).toEqual([after.entity])
  expect(now().value).toBe('saved')
})

test('asks nothing of the server when nothing changed', async () => {
  const { actor, saved, now } = await opened()
  actor.send({ type: 'submit' })
  expect([saved, now().value]).toEqual([[], 'saved'])
})

test('a new record is saved although nothing of it was typed anew', async () => {
  const { actor, saved, settled } = await opened({ ...before, version: null })
  actor.send({ type: 'submit' })
  await settled()
  expect(saved).toEqual([{ fields: before.fields, version: null }])
})

test('says what is wrong until it is put right, each time anew', async () => {
  const { actor, saved, now } = await opened()
  actor.send({ type: 'edit', patch: { name: '' } })
  actor.send({ type: 'submit' })
  expect(now().context.faults).toEqual([{ path: 'name', message: 'This field is required' }])
  actor.send({ type: 'submit' })
  expect(now().context.refusals).toBe(2)
  actor.send(rename)
  expect([now().context.faults, saved]).toEqual([[], []])
})

test('what the server finds wrong stands at its field, and nothing typed is lost', async () => {
  const faults = [{ path: 'name', message: 'There is such a group' }]
  const { actor, settled, now } = await opened(before, {
    answers: [{ kind: 'refused', message: 'No', faults }],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  expect(now().matches('editing')).toBe(true)
  expect(now().context).toMatchObject({ faults, error: null, now: { name: 'Far north' } })
})

test('what the server finds wrong at no field of the form is said all the same', async () => {
  const faults = [{ path: 'things.0.limit', message: 'This limit is too low' }]
  const { actor, settled, now } = await opened(before, {
    answers: [{ kind: 'refused', message: 'This limit is too low', faults }],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  expect(now().context.error).toBe('This limit is too low')
  actor.send(rename)
  expect(now().context.error).toBe(null)
})

test('no answer is told, and Save tries again', async () => {
  const noAnswer = new Error('No answer')
  const { actor, saved, failures, settled, now } = await opened(before, {
    answers: [noAnswer, { kind: 'saved', record: after }],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  expect([now().context.error, failures]).toEqual(['No answer', [noAnswer]])
  actor.send({ type: 'submit' })
  await settled()
  expect([saved.length, now().value]).toEqual([2, 'saved'])
})

test('a second change shows both; what I touched is kept, on top of theirs, under their version', async () => {
  const { actor, saved, settled, now } = await opened(before, {
    answers: [
      { kind: 'conflict', theirs },
      { kind: 'saved', record: after },
    ],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  expect(now().value).toBe('conflict')
  expect(now().context.choice).toEqual({ name: 'mine', things: 'theirs' })
  actor.send({ type: 'resolve' })
  await settled()
  expect(saved.at(-1)).toEqual({ fields: { name: 'Far north', things: ['2', '3'] }, version: '9' })
})

test('what was told of before theirs came is in theirs: taking all of it asks nothing more', async () => {
  const { actor, saved, settled, now } = await opened(before, { answers: [{ kind: 'conflict', theirs }] })
  actor.send(rename)
  actor.send({ type: 'changed.elsewhere' })
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'choose', fields: ['name', 'things'], side: 'theirs' })
  actor.send({ type: 'resolve' })
  expect(now().matches('editing')).toBe(true)
  expect(now().context.now).toEqual(theirs.fields)
  expect(now().context.record.version).toBe('9')
  expect(saved).toHaveLength(1)
})

test('word of another change while both versions are shown is not lost', async () => {
  const { actor, settled, now } = await opened(before, { answers: [{ kind: 'conflict', theirs }] })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'changed.elsewhere' })
  actor.send({ type: 'choose', fields: ['name', 'things'], side: 'theirs' })
  actor.send({ type: 'resolve' })
  expect(now().value).toBe('refreshing')
  await settled()
  expect(now().context.now.name).toBe('Newer')
})

test('what was shown in a conflict that was left comes in once mine is put back', async () => {
  const { actor, settled, now, pass } = await opened(before, { answers: [{ kind: 'conflict', theirs }] })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'back' })
  actor.send({ type: 'edit', patch: { name: before.fields.name } })
  pass(2000)
  expect(now().value).toBe('refreshing')
})

test('what was typed into an older version gives way to the newer one once it is put back', async () => {
  const older = { ...before, version: '6', fields: { ...before.fields, name: 'Old north' } }
  const { actor, now, pass } = await opened(before, {
    resumed: { now: { name: 'Far north' }, record: older },
  })
  expect([now().matches('editing'), now().context.record.version]).toEqual([true, '6'])
  actor.send({ type: 'edit', patch: older.fields })
  pass(2000)
  expect(now().value).toBe('refreshing')
  const { now: same } = await opened(before, { resumed: { now: { name: 'Far north' }, record: before } })
  expect(same().context.isOld).toBe(false)
})

test('going back from a conflict loses nothing of mine, and it comes up again with the next Save', async () => {
  const { actor, saved, settled, now } = await opened(before, {
    answers: [
      { kind: 'conflict', theirs },
      { kind: 'conflict', theirs },
    ],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'back' })
  expect(now().context.now.name).toBe('Far north')
  actor.send({ type: 'submit' })
  await settled()
  expect(now().value).toBe('conflict')
  expect(saved.map(({ version }) => version)).toEqual(['7', '7'])
})

test('what somebody else changed comes in by itself while nothing is typed, and never over what is', async () => {
  const { actor, settled, now } = await opened()
  actor.send({ type: 'changed.elsewhere' })
  await settled()
  expect(now().context.now.name).toBe('Newer')
  actor.send(rename)
  actor.send({ type: 'changed.elsewhere' })
  expect([now().matches('editing'), now().context.now.name]).toEqual([true, 'Far north'])
})

test('a form that is put back to what it was shows what somebody else changed meanwhile', async () => {
  const { actor, settled, now, pass } = await opened()
  actor.send(rename)
  actor.send({ type: 'changed.elsewhere' })
  actor.send({ type: 'edit', patch: { name: before.fields.name } })
  pass(2000)
  expect(now().value).toBe('refreshing')
  await settled()
  expect([now().matches('editing'), now().context.now.name]).toEqual([true, 'Newer'])
})

test('nothing comes in under the fingers of whoever types through the old value', async () => {
  const { actor, now, pass } = await opened()
  const type = (name: string) => actor.send({ type: 'edit', patch: { name } })
  type('Nort')
  actor.send({ type: 'changed.elsewhere' })
  type('North')
  pass(1999)
  type('Northern')
  pass(1999)
  type('North')
  pass(1999)
  expect([now().value, now().context.now.name]).toEqual([{ editing: 'typing' }, 'North'])
  type('North 2')
  pass(2000)
  expect([now().value, now().context.now.name]).toEqual([{ editing: 'resting' }, 'North 2'])
})

test('a change that was coming in when something was typed comes in once that is put back', async () => {
  const { actor, settled, now, pass } = await opened()
  actor.send({ type: 'changed.elsewhere' })
  actor.send(rename)
  expect(now().matches('editing')).toBe(true)
  actor.send({ type: 'edit', patch: { name: before.fields.name } })
  pass(2000)
  await settled()
  expect(now().context.now.name).toBe('Newer')
})

test('Save is heard while a change comes in, which is not lost for a form that stays', async () => {
  const { actor, saved, now } = await opened()
  actor.send({ type: 'changed.elsewhere' })
  expect(now().value).toBe('refreshing')
  actor.send({ type: 'submit' })
  expect([now().value, now().context.isOld]).toEqual(['saved', true])
  expect(saved).toEqual([])
})

test.each(['saving', 'asking'] as const)('word of a change while it is %s is not lost', async (state) => {
  const { actor, settled, now, pass } = await opened()
  actor.send(rename)
  actor.send({ type: state === 'saving' ? 'submit' : 'leave' })
  expect(now().value).toBe(state)
  actor.send({ type: 'changed.elsewhere' })
  await settled()
  expect(now().context.isOld).toBe(true)
  actor.send(state === 'saving' ? { type: 'changed.elsewhere' } : { type: 'back' })
  if (state === 'asking') actor.send({ type: 'edit', patch: { name: before.fields.name } })
  pass(2000)
  expect(now().value).toBe('refreshing')
  await settled()
  expect([now().context.now.name, now().context.isOld]).toEqual(['Newer', false])
})

test('what cannot be loaded anew is not asked for again and again', async () => {
  const { actor, settled, now } = await opened(before, { reload: new Error('No network') })
  actor.send({ type: 'changed.elsewhere' })
  await settled()
  expect([now().matches('editing'), now().context.now.name]).toEqual([true, before.fields.name])
})

test('leaving asks where something was typed, and only there', async () => {
  const clean = await opened()
  clean.actor.send({ type: 'leave' })
  expect(clean.now().value).toBe('left')
  const { actor, now } = await opened()
  actor.send(rename)
  actor.send({ type: 'leave' })
  expect(now().value).toBe('asking')
  actor.send({ type: 'back' })
  expect(now().context.now.name).toBe('Far north')
  actor.send({ type: 'leave' })
  actor.send({ type: 'leave.confirm' })
  expect(now().value).toBe('left')
})

test('leaving both versions asks, and who stays has them before them still', async () => {
  const { actor, settled, now } = await opened(before, { answers: [{ kind: 'conflict', theirs }] })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'leave' })
  expect(now().value).toBe('asking')
  actor.send({ type: 'back' })
  expect(now()).toMatchObject({ value: 'conflict', context: { theirs } })
  actor.send({ type: 'leave' })
  actor.send({ type: 'leave.confirm' })
  expect(now().value).toBe('left')
})

test('a form that stays open goes on from what was saved', async () => {
  const { actor, saved, settled } = await opened(before, {
    answers: [
      { kind: 'saved', record: after },
      { kind: 'saved', record: after },
    ],
  })
  actor.send(rename)
  actor.send({ type: 'submit' })
  await settled()
  actor.send({ type: 'edit', patch: { name: 'Farther' } })
  actor.send({ type: 'submit' })
  await settled()
  expect(saved.map(({ version }) => version)).toEqual(['7', '8'])
})
