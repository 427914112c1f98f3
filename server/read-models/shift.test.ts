import { expect, test } from 'vitest'
import { buildTestServer, START } from '../api/http/testing/test-app.ts'
import { violationOpened } from '../testing/facts.ts'
import { createNotificationIndex } from './notification-index.ts'
import { shiftSince } from './shift.ts'

const OWN = '350000000000001'
const FOREIGN = '350000000000004'

test('a summary is of so many facts of the company, whatever happened to others meanwhile', async () => {
  const server = await buildTestServer()
  const { store, readModels, close } = server
  await store.log.append('told', [
    ...Array.from({ length: 9 }, (_, i) => violationOpened(FOREIGN, START + i, {}, 'karakoram')),
    ...[0, 1].map((i) => violationOpened(OWN, START + i, {}, 'indus')),
  ])
  await readModels.settled(store.log.head())
  const reading = { store, readModels, notifications: createNotificationIndex(store.log, readModels) }
  const requested = { since: START - 1, companyId: 'indus', isRequested: () => true }
  expect((await shiftSince(reading, requested, 2))?.incidents.open.size).toBe(2)
  expect(await shiftSince(reading, requested, 1)).toBeUndefined()
  await close()
})
