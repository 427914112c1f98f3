import { expect, onTestFinished, test, vi } from 'vitest'
import { FACT_FORMAT } from '../upcast.ts'
import { createCheckpoints } from './checkpoints.ts'
import { openCopy } from './copy.ts'
import type { Database } from './database.ts'

test('a checkpoint beside the copy that is not what was saved is passed over', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const copy = openCopy(':memory:', { database: 'd', epoch: 1 }, FACT_FORMAT)
  onTestFinished(() => copy.close())
  const database = { isUp: () => true } as Database
  const checkpoints = createCheckpoints(database, copy, 1, () => false)
  checkpoints.save('directory', 7, () => Uint8Array.of(1, 2, 3))
  expect(checkpoints.load('directory')).toEqual({ seq: 7, bytes: Uint8Array.of(1, 2, 3) })
  const bytes = Uint8Array.from(copy.load('directory')?.bytes ?? [])
  bytes[1] = 6
  copy.save('directory', 7, bytes)
  expect(checkpoints.load('directory')).toBeUndefined()
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('The checkpoint directory on this node'))
})
