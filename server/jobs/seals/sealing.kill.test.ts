import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { openSealedFolder } from '../../store/sqlite/sealed-record.ts'
import { verifyLog } from './verify-log.ts'

const KILLS = 8
const SCRIPT = join(import.meta.dirname, 'testing/sealing-process.ts')

/** Kills a process after some of the heads that it gives out, and answers them. */
async function sealAndKill(dir: string, run: number, after: number): Promise<SealHead[]> {
  const sealing = spawn(process.execPath, [SCRIPT, dir, String(run)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(sealing, 'exit')
  const heads: SealHead[] = []
  for await (const line of createInterface({ input: sealing.stdout })) {
    if (line.endsWith('}')) heads.push(JSON.parse(line))
    if (heads.length === after) sealing.kill('SIGKILL')
  }
  expect((await ended)[1]).toBe('SIGKILL')
  return heads
}

test(`a record whose process is killed ${KILLS} times while it is sealed goes on with the same tree`, async () => {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-seal-kill-'))
  try {
    const given: SealHead[] = []
    for (const [run, after] of fc.sample(fc.noBias(fc.integer({ min: 1, max: 12 })), KILLS).entries()) {
      given.push(...(await sealAndKill(dir, run, after)))
      const folder = openSealedFolder(dir)
      const kept = await folder.seals.heads({ limit: 1e6 })
      for (const head of given) expect(kept).toContainEqual(head)
      for await (const { found } of verifyLog(folder, given)) expect(found).toEqual([])
      folder.close()
    }
    expect(new Set(given.map(({ size }) => size)).size).toBe(given.length)
    expect(new Set(given.map(({ keyId }) => keyId)).size).toBe(1)
  } finally {
    await rm(dir, { recursive: true })
  }
})
