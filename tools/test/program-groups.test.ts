import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'

/** Runs a program that leaves a file and a process, and says where and which. */
const RUNNER = `
import { openProgramGroups } from ${JSON.stringify(join(import.meta.dirname, 'program-groups.ts'))}
const programs = openProgramGroups()
const words = ['-c', 'touch "$TMPDIR/left"; sleep 600 & echo "$TMPDIR/left $!"; [ "$1" = ends ] || wait', 'sh', process.argv[1]]
await programs.run('sh', words, { cwd: '/', env: process.env })
await programs.end()
`

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

async function started(how: 'ends' | 'waits') {
  const runner = spawn(process.execPath, ['--input-type=module', '-e', RUNNER, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const gone = once(runner, 'exit')
  const [line] = (await once(runner.stdout, 'data')) as [Buffer]
  const [file = '', pid] = line.toString().trim().split(' ')
  return { runner, gone, file, pid: Number(pid) }
}

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
  'interrupted by %s, no process and no file is left',
  async (signal) => {
    const { runner, gone, file, pid } = await started('waits')
    expect([existsSync(file), isThere(pid)]).toEqual([true, true])
    runner.kill(signal)
    await gone
    await vi.waitFor(() => expect([existsSync(dirname(file)), isThere(pid)]).toEqual([false, false]))
  },
)

test('what a program leaves running when it ends is ended', async () => {
  const { gone, file, pid } = await started('ends')
  await gone
  expect([existsSync(dirname(file)), isThere(pid)]).toEqual([false, false])
})
