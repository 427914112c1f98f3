import { expect, test, vi } from 'vitest'
import { emptyDirectory } from './directory.ts'
import { membersOf } from './report-members.ts'

const of = (no: number, companyId: string) => ({ no, companyId, groupId: null })

test('the devices of a report are gone through for a device of its company, once', () => {
  const directory = { ...emptyDirectory(), devices: [of(0, 'indus'), of(1, 'indus'), of(2, 'karakoram')] }
  const devices = [0, 2]
  const gone = vi.spyOn(devices, Symbol.iterator as never)
  const isOf = membersOf(directory as never, { devices, groups: [], companyId: 'indus' })
  expect([isOf(2), isOf(7)]).toEqual([false, false])
  expect(gone).not.toHaveBeenCalled()
  expect([isOf(0), isOf(1)]).toEqual([true, false])
  expect(gone).toHaveBeenCalledTimes(1)
})
