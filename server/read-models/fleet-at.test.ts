import { expect, test } from 'vitest'
import { buildTestServer, START } from '../api/http/testing/test-app.ts'
import { OutOfLine } from '../cluster/line.ts'
import { createPast } from './fleet-at.ts'
import { createNotificationIndex } from './notification-index.ts'

test('companies take turns in looking back, and one person has so many looks waiting', async () => {
  const { store, readModels, close } = await buildTestServer()
  const past = createPast({
    store,
    readModels,
    notifications: createNotificationIndex(store.log, readModels),
  })
  const [ayesha, karim] = [
    past.lookedAtBy({ companyId: 'indus', userId: 'u1' }),
    past.lookedAtBy({ companyId: 'karakoram', userId: 'u3' }),
  ]
  const seen: string[] = []
  const looks = Array.from({ length: 33 }, (_, i) =>
    ayesha.cut(START, 'then').then(() => seen.push(`ayesha ${i}`)),
  )
  const tooMany = expect(ayesha.cut(START, 'then')).rejects.toThrow(OutOfLine)
  looks.push(karim.cut(START, 'then').then(() => seen.push('karim')))
  await Promise.all([...looks, tooMany])
  expect(seen.slice(0, 4)).toEqual(['ayesha 0', 'ayesha 1', 'karim', 'ayesha 2'])
  await close()
})
