import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { STORE_FILE } from '../../server/store/sqlite/database.ts'
import { preparePeople } from '../../simulator/testing/scenario-people.ts'
import { say } from '../bench/figures.ts'
import { startApp } from '../build/running-app.ts'
import type { Fault } from './fault.ts'
import { need } from './needs.ts'
import { PRODUCTION } from './production.ts'
import { lossesIn, prepareRecord } from './record.ts'
import { baseOf, emptyLedger, keepWriting, signIn } from './writers.ts'

const TIMES = 10
/** EX_SOFTWARE: what the server ends with when the disk did not confirm a write. */
const ENDED = 70
const PATIENCE_MS = 60_000
/** The log that is written with each commit, and the file it is brought into from time to time. */
const FILES = [`${STORE_FILE}-wal`, STORE_FILE]

export const fsync: Fault = {
  name: 'fsync',
  what: `fsync fails once, ${TIMES} times of the log and ${TIMES} times of the file behind it, while 8 writers write`,
  mustHold: 'the process ends, starts again clean, 0 acknowledged lost',
  quick: 0.1,
  async run({ times }) {
    need('strace')
    const dataDir = realpathSync(mkdtempSync(join(tmpdir(), 'frostline-fsync-')))
    const ledger = emptyLedger()
    const base = baseOf(Date.now())
    const lost: string[] = []
    const failures = FILES.flatMap((file) => Array.from({ length: times(TIMES) }, () => file))
    let token: string | undefined
    let slowest = 0
    try {
      await prepareRecord(dataDir)
      await preparePeople({ dataDir })
      for (const file of failures) {
        const app = await startApp({ dataDir, env: PRODUCTION })
        token ??= await signIn(app.url)
        const writing = keepWriting({ address: app.url, token, ledger, base })
        const failing = await failOnce(app.pid, join(dataDir, file))
        const ended = await Promise.race([
          app.gone,
          failing.failed.then(() => pause(PATIENCE_MS, 'not at all')),
        ])
        slowest = Math.max(slowest, performance.now() - failing.at())
        if (ended !== ENDED) lost.push(`after a failed fsync of ${file} the server ended with ${ended}`)
        failing.stop()
        await app.kill()
        await writing.stop()
        lost.push(...(await lossesIn(dataDir, ledger)))
      }
      await (await startApp({ dataDir, env: PRODUCTION })).stop()
      lost.push(...ledger.wrong)
      return {
        tried: `${failures.length} failures, ${say(ledger.count)} acknowledgements; slowest end ${say(slowest)} ms after the failure`,
        lost,
      }
    } finally {
      rmSync(dataDir, { recursive: true, force: true })
    }
  },
}

/** The next fsync of a file fails, and those after it succeed, as those of a kernel do that has dropped what it could not write. */
async function failOnce(pid: number, path: string) {
  const calls = 'fsync,fdatasync'
  const words = [
    '-f',
    '-p',
    `${pid}`,
    '-P',
    path,
    '-e',
    `trace=${calls}`,
    '-e',
    `inject=${calls}:error=EIO:when=1`,
  ]
  const strace = spawn('strace', words, { stdio: ['ignore', 'ignore', 'pipe'] })
  let at = Number.NaN
  let output = ''
  const attached = Promise.withResolvers<void>()
  const failed = Promise.withResolvers<void>()
  strace.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
    if (/attached/.test(output)) attached.resolve()
    if (/INJECTED/.test(output) && Number.isNaN(at)) {
      at = performance.now()
      failed.resolve()
    }
  })
  const ended = once(strace, 'close').then(() => {
    if (Number.isNaN(at))
      attached.reject(new Error(`no fsync could be made to fail: ${output.slice(0, 300)}`))
  })
  await attached.promise
  return {
    failed: failed.promise,
    at: () => at,
    stop() {
      strace.kill('SIGTERM')
      return ended
    },
  }
}
