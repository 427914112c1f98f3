import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningApp, startApp } from '../tools/build/running-app.ts'
import { withoutServerVariables } from '../tools/build/without-server-variables.ts'
import { openMails } from './mails.ts'

/** A server as a customer runs it: without the simulated fleet, on a fresh folder, with a mail server. */
export type Production = {
  app: RunningApp
  /** `npm run admin` on its machine; answers what it printed */
  admin(...words: string[]): Promise<string>
  /** what the first mail to this address says; '' while there is none */
  mailTo(address: string): Promise<string>
  /** ends it, with all that was kept */
  end(): Promise<void>
}

export async function startProduction(): Promise<Production> {
  const dataDir = mkdtempSync(join(tmpdir(), 'frostline-first-customer-'))
  const mails = await openMails()
  const app = await startApp({ dataDir, env: { SIMULATOR: 'off', SMTP_URL: mails.url } })
  const env = { ...withoutServerVariables(), DATA_DIR: dataDir }
  return {
    app,
    admin: (...words) =>
      new Promise((resolve, reject) =>
        execFile(process.execPath, ['server/admin-command.ts', ...words], { env }, (error, out) =>
          error ? reject(new Error(out)) : resolve(out),
        ),
      ),
    mailTo: async (address) =>
      (await mails.received()).find(({ to }) => to?.some((each) => each.address === address))?.text ?? '',
    async end() {
      await app.stop()
      await mails.close()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** The first address of a text that stands in a line of its own; '' where there is none. */
export const linkIn = (text: string): string => /^https?:\S+$/m.exec(text)?.[0] ?? ''
