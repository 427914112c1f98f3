import { setImmediate } from 'node:timers/promises'
import type { NewFact } from '#machines/contracts/facts.ts'
import type { LinkPurpose } from '#machines/contracts/messages.ts'
import { createDownloadLinks } from '../../../../auth/download-links.ts'
import { createEmailLinks } from '../../../../auth/email-links.ts'
import { createMailLinks } from '../../../../auth/mail-links.ts'
import { twoCompanies } from '../../../../commands/testing/company-facts.ts'
import { startProjecting } from '../../../../read-models/read-models.ts'
import { openSqliteStore } from '../../../../store/sqlite/open.ts'
import type { EventLog } from '../../../../store/store.ts'
import type { Pauses } from '../../sending/pauses.ts'
import { startMailer } from '../mailer.ts'
import { outboxTransport, type Transport } from '../transport.ts'

export const START = Date.parse('2026-06-15T04:00:00Z')
export const PUBLIC_URL = 'https://portal.example'

/** Real time that stands until the test lets it pass. */
export function heldPauses() {
  let now = 0
  const sleeping = new Set<{ until: number; wake: () => void }>()
  const pauses: Pauses = {
    uptime: () => now,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        const sleeper = {
          until: now + ms,
          wake() {
            sleeping.delete(sleeper)
            resolve()
          },
        }
        sleeping.add(sleeper)
        signal.addEventListener('abort', sleeper.wake, { once: true })
        if (signal.aborted) sleeper.wake()
      }),
  }
  return {
    ...pauses,
    /** how long the next sleeper has yet to sleep */
    nextIn: () => Math.min(...[...sleeping].map(({ until }) => until - now)),
    async pass(ms: number) {
      now += ms
      for (const sleeper of [...sleeping]) if (sleeper.until <= now) sleeper.wake()
      // who was woken is up by then
      await setImmediate()
    },
  }
}

type Options = {
  dir?: string
  transport?: Transport
  pauses?: Pauses
  /** e.g. one that cannot write */
  log?: (log: EventLog) => EventLog
}

/** A store with the people of the tests' company, and a mailer that follows it. */
export async function openMailingApp({
  dir = ':memory:',
  transport = outboxTransport,
  ...options
}: Options = {}) {
  const clock = { at: START, now: () => clock.at }
  const store = openSqliteStore({ dir, clock })
  const readModels = startProjecting(store)
  if (store.log.head() === 0) await readModels.settled(await appended('app', ...twoCompanies))
  const files = new Map<string, Uint8Array>()
  const reportLinks = createDownloadLinks('a secret of the tests, long enough', clock)
  const links = createEmailLinks({
    secret: 'a secret of the tests, long enough',
    clock,
    env: { activationTtl: 86_400, resetTtl: 3600 },
  })
  const pauses = options.pauses ?? heldPauses()
  const warnings: string[] = []
  let mailer = start(transport)

  function start(by: Transport) {
    return startMailer({
      store: { ...store, log: options.log?.(store.log) ?? store.log },
      readModels,
      clock,
      source: {
        links,
        reportLinks,
        mailLinks: createMailLinks('a secret of the tests, long enough'),
        reportFile: async (id, n) => files.get(`${id}.${n}`),
        publicUrl: PUBLIC_URL,
      },
      transport: by,
      warn: (message) => warnings.push(message),
      pauses,
    })
  }
  async function appended(stream: string, ...facts: NewFact[]): Promise<number> {
    return (await store.log.append(stream, facts)).facts.at(-1)?.seq ?? 0
  }
  const issued = (userId: string, purpose: LinkPurpose): NewFact & { type: 'link.issued' } => ({
    type: 'link.issued',
    at: clock.now(),
    companyId: 'indus',
    data: { ...links.make(purpose), userId },
  })

  return {
    clock,
    store,
    readModels,
    links,
    /** of reports, `r-1.0` the first of r-1 */
    files,
    warnings,
    issued,
    get mailer() {
      return mailer
    },
    /** appends and waits until the read models show it */
    async append(...facts: NewFact[]) {
      await readModels.settled(await appended('user', ...facts))
    },
    /** issues a link and waits until its letter has left, if it can */
    async issue(userId: string, purpose: LinkPurpose) {
      const fact = issued(userId, purpose)
      await this.append(fact)
      await mailer.settled()
      return fact.data
    },
    facts: (type: 'mail.sent' | 'mail.failed') => store.log.readFacts(0, { types: [type], limit: 1e6 }),
    /** another mailer takes the first one's place, as after a start */
    async restart(by: Transport = transport) {
      await mailer.stop()
      mailer = start(by)
      await mailer.settled()
    },
    async close() {
      await mailer.stop()
      readModels.stop()
      readModels.checkpoint()
      await store.close()
    },
  }
}
