import { expect, test } from 'vitest'
import type { ReadModels } from '../../read-models/read-models.ts'
import { countTurns } from '../../testing/turns-of-the-loop.ts'
import { createReportFileFinder, digestOf } from './report-files.ts'

test('a large file is compared with what was made a piece at a time, and others have their turn between', async () => {
  const bytes = new Uint8Array(5 * 1024 * 1024).fill(7)
  const made = { fileName: 'a', contentType: 'b', bytes: bytes.length, sha256: digestOf(bytes) }
  const report = { status: 'completed', files: [made], completedAt: 0, requestedAt: 0 }
  const directory = { reports: new Map([['r1', report]]) } as unknown as ReadModels['directory']
  const finder = createReportFileFinder({
    readModels: { directory },
    clock: { now: () => 0 },
    files: { get: async () => bytes },
    warn: () => {},
  })
  const { now, stop } = countTurns()
  const before = now()
  expect(await finder.file('r1', 0)).toBe(bytes)
  expect(now() - before).toBeGreaterThanOrEqual(4)
  stop()
})
