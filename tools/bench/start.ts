import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../build/running-app.ts'
import { withoutServerVariables } from '../build/without-server-variables.ts'
import { atMost, type Figure } from './figures.ts'

const root = resolve(import.meta.dirname, '../..')
const PATIENCE = 120_000

/** `npm start` in a fresh clone, where the portal is not built and no world lived yet; then the same again. */
export async function measureStart(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'frostline-start-'))
  const clone = join(folder, 'frostline')
  try {
    execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, clone])
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
    const first = await startOnce(clone)
    const later = await startOnce(clone)
    return [
      atMost('`npm start` to ready after install, first time', first / 1000, 10, 's', 1),
      atMost('`npm start` to ready, later', later / 1000, 3, 's', 1),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** ms until it is ready and serves the portal. */
async function startOnce(clone: string): Promise<number> {
  const port = await freePort()
  const began = performance.now()
  const npm = spawn('npm', ['start'], {
    cwd: clone,
    env: {
      ...withoutServerVariables(),
      PORT: `${port}`,
      TELTONIKA_PORT: `${await freePort()}`,
      GT06_PORT: `${await freePort()}`,
    },
    stdio: 'ignore',
    detached: true,
  })
  const gone = once(npm, 'exit')
  try {
    while (!(await isUp(`http://127.0.0.1:${port}`))) {
      if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
      if (performance.now() - began > PATIENCE) throw new Error('npm start was not ready in time')
      await pause(25)
    }
    return performance.now() - began
  } finally {
    // npm runs it through a shell; the whole group of this start goes, and nothing else.
    if (npm.exitCode === null && npm.pid !== undefined) process.kill(-npm.pid, 'SIGTERM')
    await gone
  }
}

async function isUp(url: string): Promise<boolean> {
  for (const path of ['/readyz', '/login']) {
    const answer = await fetch(url + path).catch(() => undefined)
    await answer?.body?.cancel()
    if (answer?.status !== 200) return false
  }
  return true
}
