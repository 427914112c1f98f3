import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'

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

function start(how: 'ends' | 'waits', ...imports: string[]) {
  // what one that is killed at its start leaves goes with the test
  const folder = mkdtempSync(join(tmpdir(), 'program-groups-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const words = imports.flatMap((code) => ['--import', `data:text/javascript,${encodeURIComponent(code)}`])
  const runner = spawn(process.execPath, [...words, '--input-type=module', '-e', RUNNER, how], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TMPDIR: folder },
  })
  return { runner, gone: once(runner, 'exit') }
}

async function started(how: 'ends' | 'waits') {
  const { runner, gone } = start(how)
  const [line] = (await once(runner.stdout, 'data')) as [Buffer]
  return { runner, gone, ...leftBy(line) }
}

/** What its program says that it left; a test that fails does not leave it for ten minutes. */
function leftBy(line: Buffer) {
  const [file = '', word] = line.toString().trim().split(' ')
  const pid = Number(word)
  onTestFinished(() => {
    if (isThere(pid)) process.kill(pid, 'SIGKILL')
  })
  return { file, pid }
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

/** Killed when it starts its second process, which sees to it that the first ends. */
const KILLED_BETWEEN = `
import childProcess from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
const { spawn } = childProcess
let started = 0
childProcess.spawn = (...words) => ++started === 2 ? process.kill(process.pid, 'SIGKILL') : spawn(...words)
syncBuiltinESMExports()
`

test('killed before anybody watches over a program, it does not begin', async () => {
  const { runner, gone } = start('waits', KILLED_BETWEEN)
  const output = Promise.race([once(runner.stdout, 'data'), once(runner.stdout, 'end')])
  expect(await gone).toEqual([null, 'SIGKILL'])
  const [line] = (await output) as [Buffer?]
  expect(line && leftBy(line)).toBeUndefined()
})

test('what a program leaves running when it ends is ended', async () => {
  const { gone, file, pid } = await started('ends')
  await gone
  expect([existsSync(dirname(file)), isThere(pid)]).toEqual([false, false])
})
