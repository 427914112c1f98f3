import { expect, test } from 'vitest'
import { createActor, waitFor } from 'xstate'
import { deviceUpdateIn } from './device-update-actor.ts'
import type { Root } from './root.ts'

test('renaming a device leaves it in the group that somebody moved it to meanwhile', async () => {
  const asked: unknown[] = []
  const http = {
    async ask({ method }: { method: string }, given: object, options: { ifMatch?: string }) {
      asked.push({ method, ...given, ifMatch: options.ifMatch })
      return { name: 'Reefer 12', groupId: 'multan', version: '8' }
    },
  }
  const toasts = { success: (text: string) => asked.push(text) }
  const actor = createActor(deviceUpdateIn({ http, toasts } as unknown as Pick<Root, 'http' | 'toasts'>), {
    input: { imei: '350000000000001', name: 'Reefer 12', groupId: 'lahore' },
  }).start()
  actor.send({ type: 'name.changed', name: 'Reefer 13' })
  actor.send({ type: 'save' })
  await waitFor(actor, ({ status }) => status === 'done')
  const params = { imei: '350000000000001' }
  expect(asked).toEqual([
    { method: 'GET', params, ifMatch: undefined },
    { method: 'PUT', params, body: { name: 'Reefer 13', groupId: 'multan' }, ifMatch: '8' },
    'Device updated successfully!',
  ])
})
