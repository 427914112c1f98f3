import { expect, onTestFinished, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { startProjecting } from '../../read-models/read-models.ts'
import { followScopes } from './scopes.ts'
import { memoryStore } from './testing/memory-store.ts'
import { device, group, imeiOf } from './testing/test-app.ts'

test('what happens in one company makes nothing anew of what those of another see', () => {
  const { store, add } = memoryStore()
  const companies = ['indus', 'thar'].flatMap((id, no) => [
    group(id, id, null),
    group(id, `${id}-2`, id),
    device(id, id, no),
  ])
  add(companies)
  const readModels = startProjecting(store)
  const scopes = followScopes(readModels)
  onTestFinished(() => {
    scopes.stop()
    readModels.stop()
  })
  const changed: string[] = []
  scopes.onChange(({ groupId }) => changed.push(groupId))
  const [indus, thar] = [scopes.hold('indus-2'), scopes.hold('thar')]
  const before = thar.devices
  const moved: NewFact = {
    ...{ type: 'device.updated', at: 0, companyId: 'indus' },
    data: { imei: imeiOf(0), groupId: 'indus-2' },
  }
  add([moved])
  expect([changed, [...indus.devices]]).toEqual([['indus-2'], [0]])
  expect(thar.devices).toBe(before)
  add([device('thar', 'thar-2', 2)])
  expect([changed, [...thar.devices]]).toEqual([
    ['indus-2', 'thar'],
    [1, 2],
  ])
})
