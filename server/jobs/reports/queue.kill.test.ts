import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { openReportApp } from './testing/report-app.ts'

const SCRIPT = join(import.meta.dirname, 'testing/reporting-process.ts')
const REPORTS = 12

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'frostline-reports-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  return dir
}

/** Lets a process make reports and kills it, as a power cut would, when it has told so many facts of one type. */
async function killedAfter(dir: string, type: string, count: number): Promise<void> {
  const child = spawn(process.execPath, [SCRIPT, dir, String(REPORTS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let heard = 0
  for await (const line of createInterface({ input: child.stdout }))
    if (line === type && ++heard === count) break
  child.kill('SIGKILL')
  await ended
}

/** Everything that is left to do is done; what the log tells, and what the files hold. */
async function finished(dir: string) {
  const app = await openReportApp({ dir })
  if (app.reports.size === 0) await app.request(...Array.from({ length: REPORTS }, (_, i) => `Report ${i}`))
  await app.queue.settled()
  const files = await Promise.all([...app.reports.keys()].map((id) => app.text(id)))
  const published = app.published()
  await app.close()
  return { published, files }
}

test('killed in the middle of it, again and again, each report is finished once, in order, and the same to the byte', async () => {
  const whole = await finished(await folder())
  const dir = await folder()
  await killedAfter(dir, 'report.started', 1)
  await killedAfter(dir, 'report.completed', 3)
  await killedAfter(dir, 'report.started', 2)
  const pieced = await finished(dir)
  expect(pieced.files).toEqual(whole.files)
  // one that was killed is begun again
  const once = [...new Set(pieced.published)]
  expect(once).toEqual(whole.published)
  expect(pieced.published.filter((line) => line.startsWith('completed'))).toHaveLength(REPORTS)
})
