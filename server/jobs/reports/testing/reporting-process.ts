/**
 * Makes reports in the folder given until it is killed. Asks for so many first, where nobody has. Writes a line for each
 * fact about them.
 */
import { writeSync } from 'node:fs'
import { openReportApp } from './report-app.ts'

async function run(dir: string, count: number): Promise<void> {
  const app = await openReportApp({ dir, begins: false })
  app.readModels.onAdvance(({ facts }) => {
    for (const { type } of facts) if (type.startsWith('report.')) writeSync(1, `${type}\n`)
  })
  if (app.reports.size === 0) await app.request(...Array.from({ length: count }, (_, i) => `Report ${i}`))
  app.queue.begin()
  // stays until it is killed
  setInterval(() => {}, 1e9)
}

const [, script, dir, count] = process.argv
if (script === import.meta.filename && dir !== undefined) await run(dir, Number(count))
