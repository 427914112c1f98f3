import { expect, test } from 'vitest'
import { createActor, fromPromise } from 'xstate'
import { type DeviceChange, type DeviceFields, deviceUpdateMachine } from './device-update.machine.ts'
import { device } from './device-update.samples.ts'

const fields = { name: device.name, groupId: device.groupId }

/** The form, and a server that answers when the test says so. */
function opened(input: { imei: string; name: string; groupId: string | null } = device) {
  const requests: DeviceChange[] = []
  const announced: string[] = []
  let answer: { resolve(theirs?: DeviceFields): void; reject(error: Error): void } | undefined
  const actor = createActor(
    deviceUpdateMachine.provide({
      actors: {
        saveDevice: fromPromise(({ input: change }: { input: DeviceChange }) => {
          requests.push(change)
          return new Promise<DeviceFields | undefined>((resolve, reject) => {
            answer = { resolve, reject }
          })
        }),
      },
      actions: { announce: () => announced.push('saved') },
    }),
    { input },
  ).start()
  const left = (state: 'saving') =>
    new Promise<void>((resolve) => {
      const check = () => !actor.getSnapshot().matches(state) && resolve()
      actor.subscribe({ next: check, complete: check })
    })
  return { actor, requests, announced, left, answer: () => answer }
}

test('saves the name without blanks around it, with the group', async () => {
  const { actor, requests, announced, left, answer } = opened()
  actor.send({ type: 'name.changed', name: '  Reefer 12 north ' })
  actor.send({ type: 'group.changed', groupId: 'multan' })
  actor.send({ type: 'save' })
  answer()?.resolve()
  await left('saving')
  expect(requests).toEqual([
    { imei: device.imei, before: fields, name: 'Reefer 12 north', groupId: 'multan' },
  ])
  expect(announced).toEqual(['saved'])
  expect(actor.getSnapshot().status).toBe('done')
})

test('says nothing of what was not touched', async () => {
  const { actor, requests } = opened()
  actor.send({ type: 'group.changed', groupId: 'multan' })
  actor.send({ type: 'group.changed', groupId: device.groupId })
  actor.send({ type: 'name.changed', name: 'Reefer 13' })
  actor.send({ type: 'save' })
  expect(requests).toEqual([{ imei: device.imei, before: fields, name: 'Reefer 13' }])
})

test('is saved once however often Save is pressed', () => {
  const { actor, requests } = opened()
  actor.send({ type: 'name.changed', name: 'Other' })
  actor.send({ type: 'save' })
  actor.send({ type: 'save' })
  expect(requests).toHaveLength(1)
})

test('says what is missing, and no longer once it is there', () => {
  const { actor, requests } = opened({ imei: device.imei, name: 'x', groupId: null })
  actor.send({ type: 'name.changed', name: '   ' })
  actor.send({ type: 'save' })
  expect(actor.getSnapshot().context.messages).toEqual({
    name: 'This field is required',
    groupId: 'Please select a group',
  })
  actor.send({ type: 'name.changed', name: 'Reefer' })
  expect(actor.getSnapshot().context.messages).toEqual({ name: null, groupId: 'Please select a group' })
  actor.send({ type: 'name.changed', name: 'R'.repeat(201) })
  actor.send({ type: 'save' })
  expect(actor.getSnapshot().context.messages.name).toBe('Max 200 characters are allowed in name')
  expect(requests).toEqual([])
})

test('keeps what was typed when the server refuses, and says why', async () => {
  const { actor, left, answer } = opened()
  actor.send({ type: 'name.changed', name: 'Reefer 13' })
  actor.send({ type: 'save' })
  answer()?.reject(new Error('Group not found'))
  await left('saving')
  const { value, context } = actor.getSnapshot()
  expect({ value, name: context.now.name, error: context.error }).toEqual({
    value: 'editing',
    name: 'Reefer 13',
    error: 'Group not found',
  })
})

test('takes what somebody else made of it, keeps what was typed, and is sent again over theirs', async () => {
  const { actor, requests, left, answer } = opened()
  actor.send({ type: 'name.changed', name: 'Mine' })
  actor.send({ type: 'save' })
  const theirs = { name: 'Theirs', groupId: 'multan' }
  answer()?.resolve(theirs)
  await left('saving')
  const { value, context } = actor.getSnapshot()
  expect({ value, now: context.now, error: context.error }).toEqual({
    value: 'editing',
    now: { name: 'Mine', groupId: 'multan' },
    error:
      'Somebody else has changed this meanwhile: it is named Theirs now. Save again to have it your way.',
  })
  actor.send({ type: 'save' })
  expect(requests[1]).toEqual({ imei: device.imei, before: theirs, name: 'Mine' })
})

test('a group that somebody else chose is named by the field, where both chose one', async () => {
  const { actor, left, answer } = opened()
  actor.send({ type: 'group.changed', groupId: 'quetta' })
  actor.send({ type: 'save' })
  answer()?.resolve({ name: device.name, groupId: 'multan' })
  await left('saving')
  const { now, error } = actor.getSnapshot().context
  expect(now.groupId).toBe('quetta')
  expect(error).toBe(
    'Somebody else has changed this meanwhile: it is in another group now. Save again to have it your way.',
  )
})

test('asks nothing when nothing changed', () => {
  const { actor, requests } = opened()
  actor.send({ type: 'save' })
  expect(requests).toEqual([])
  expect(actor.getSnapshot().value).toBe('closed')
})
