import { expect, test } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { CallRefused } from '../effects/call-failures.ts'
import { deviceUpdateIn } from './device-update-actor.ts'
import type { Root } from './root.ts'

type Fields = { name: string; groupId: string }

/**
 * The form of Reefer 12 in lahore, where the device is another by now, and what is asked of the server. `isStale`: it changes once
 * more while it is saved, to `then`.
 */
function opened(now: Fields, { isStale = false, then = now } = {}) {
  let refusals = isStale ? 1 : 0
  let known = now
  const requests: unknown[] = []
  const http = {
    async ask({ method }: { method: string }, given: object, options: { ifMatch?: string }) {
      requests.push({ method, ...given, ifMatch: options.ifMatch })
      if (method === 'PUT' && refusals-- > 0) {
        known = then
        throw new CallRefused(412, 'changed', {}, false)
      }
      return { ...known, version: '8' }
    },
  }
  const toasts = { success: (text: string) => requests.push(text) }
  const actor = createActor(deviceUpdateIn({ http, toasts } as unknown as Pick<Root, 'http' | 'toasts'>), {
    input: { imei: '350000000000001', name: 'Reefer 12', groupId: 'lahore' },
  }).start()
  return { actor, requests }
}

test('renaming a device leaves it in the group that somebody moved it to meanwhile', async () => {
  const { actor, requests: requested } = opened({ name: 'Reefer 12', groupId: 'multan' })
  actor.send({ type: 'name.changed', name: 'Reefer 13' })
  actor.send({ type: 'save' })
  await waitFor(actor, ({ status }) => status === 'done')
  const params = { imei: '350000000000001' }
  expect(requested).toEqual([
    { method: 'GET', params, ifMatch: undefined },
    { method: 'PUT', params, body: { name: 'Reefer 13', groupId: 'multan' }, ifMatch: '8' },
    'Device updated successfully!',
  ])
})

test.each([
  ['a name', { name: 'Theirs', groupId: 'lahore' }, { type: 'name.changed', name: 'Mine' }],
  ['a group', { name: 'Reefer 12', groupId: 'multan' }, { type: 'group.changed', groupId: 'quetta' }],
] as const)(
  '%s that somebody gave it meanwhile is shown before it is written over',
  async (_, now, typed) => {
    const { actor, requests: requested } = opened(now)
    actor.send(typed)
    actor.send({ type: 'save' })
    await waitFor(actor, (state) => state.matches('editing'))
    expect(actor.getSnapshot().context.error).toMatch(
      /^Somebody else has changed this meanwhile: .* Save again/,
    )
    expect(requested).toHaveLength(1)
    actor.send({ type: 'save' })
    await waitFor(actor, ({ status }) => status === 'done')
    expect(requested.at(-1)).toBe('Device updated successfully!')
  },
)

test('what is changed at the last moment is shown too', async () => {
  const then = { name: 'Theirs', groupId: 'lahore' }
  const { actor, requests: requested } = opened(
    { name: 'Reefer 12', groupId: 'lahore' },
    { isStale: true, then },
  )
  actor.send({ type: 'name.changed', name: 'Mine' })
  actor.send({ type: 'save' })
  await waitFor(actor, (state) => state.matches('editing'))
  expect(actor.getSnapshot().context.error).toMatch(/^Somebody else .*: it is named Theirs now\. Save again/)
  actor.send({ type: 'save' })
  await waitFor(actor, ({ status }) => status === 'done')
  expect(requested.at(-1)).toBe('Device updated successfully!')
})

test('what changes at the last moment and does not stand in the window is no question', async () => {
  const { actor, requests: requested } = opened({ name: 'Reefer 12', groupId: 'lahore' }, { isStale: true })
  actor.send({ type: 'name.changed', name: 'Mine' })
  actor.send({ type: 'save' })
  await waitFor(actor, ({ status }) => status === 'done')
  expect(requested.at(-1)).toBe('Device updated successfully!')
})

test('a change whose answer was lost is made again where it is as it was left', async () => {
  const { actor, requests: requested } = opened({ name: 'Mine', groupId: 'lahore' })
  actor.send({ type: 'name.changed', name: 'Mine' })
  actor.send({ type: 'save' })
  await waitFor(actor, ({ status }) => status === 'done')
  expect(requested.at(-1)).toBe('Device updated successfully!')
})
