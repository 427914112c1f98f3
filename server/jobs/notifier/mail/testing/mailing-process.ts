/**
 * Mails to the address given, from the store of the folder given, until it is killed. Issues so many links first. Says
 * on its standard output when all that can leave has left.
 */
import { writeSync } from 'node:fs'
import { realPauses } from '../../sending/pauses.ts'
import { smtpTransport } from '../smtp.ts'
import { openMailingApp } from './mailing-app.ts'

async function run(dir: string, url: string, links: number): Promise<void> {
  const transport = smtpTransport({ url, from: 'no-reply@frostline.example' })
  const app = await openMailingApp({ dir, transport, pauses: realPauses })
  await app.append(...Array.from({ length: links }, () => app.issued('u1', 'activation')))
  await app.mailer.settled()
  writeSync(1, `${JSON.stringify(app.mailer.stats())}\n`)
  // stays until it is killed
  setInterval(() => {}, 1e9)
}

const [, script, dir, url, links] = process.argv
if (script === import.meta.filename && dir !== undefined && url !== undefined)
  await run(dir, url, Number(links))
