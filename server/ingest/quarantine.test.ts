import { expect, test } from 'vitest'
import { StoreUnavailable } from '../store/store.ts'
import { createQuarantine } from './quarantine.ts'

test('a fact that is not stored is told of, but for a store that cannot write now', async () => {
  const warned: string[] = []
  const errors = [new StoreUnavailable('disk full'), new TypeError('no such stream')]
  const append = () => Promise.reject(errors.shift())
  const quarantine = createQuarantine({ append }, { now: () => 0 }, (message) => warned.push(message))
  for (const reason of ['too old', 'too new'])
    quarantine.add({ imei: null, companyId: null, source: 'api', reason, detail: '' })
  await quarantine.stop()
  expect(warned).toEqual(['what was refused (too new) is not recorded: TypeError: no such stream'])
})
