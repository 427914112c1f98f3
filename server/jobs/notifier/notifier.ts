import { shelvingOf, wasShelved } from '#machines/projections/incidents.ts'
import type { Env } from '../../config/config.ts'
import { type Alerts, startAlerts } from './alerts/alerts.ts'
import type { Mailer } from './mail/mailer.ts'
import { type MailParts, openMail } from './mail/open-mail.ts'
import type { KeptMail } from './mail/outbox.ts'
import { type Withheld, watchWithheld } from './mail/withheld.ts'
import { openSms } from './sms/open-sms.ts'
import type { KeptText, Texter } from './sms/texter.ts'

type Parts = MailParts & { env: Pick<Env, 'smsUrl'> }

/** Reaches people who are not looking: alerts of violations, letters, text messages. */
export type Notifier = {
  /** alerts are raised of what opens from now on, and of what waited when the server last ended */
  startAlerts(): void
  /** what was kept instead of sent, newest first; `to`: an address in any case, or a phone number; undefined: all */
  outbox(to?: string): Promise<(KeptMail | KeptText)[]>
  stats(): {
    mail: ReturnType<Mailer['stats']>
    sms: ReturnType<Texter['stats']>
    withheld: ReturnType<Withheld['stats']>
    alerts: ReturnType<Alerts['stats']>
  }
  stop(): Promise<void>
}

/** Opens mail and text messages. Letters that wait leave at once, alerts wait for `startAlerts`. */
export function openNotifier(parts: Parts): Notifier {
  const mailer = openMail(parts)
  const texter = openSms(parts)
  const withheld = watchWithheld(parts.readModels, parts.warn)
  let alerts: Alerts | undefined
  return {
    startAlerts() {
      const { readModels } = parts
      alerts ??= startAlerts({
        ...parts,
        isRepeat: ({ data }) => readModels.attention.violations.repeats.has(data.violationId),
        wasShelved: ({ data }) => wasShelved(readModels.attention.incidents, data.violationId),
        isShelved: ({ imei, type }, at) =>
          type !== 'BUDGET_EXHAUSTED' &&
          shelvingOf(readModels.attention.incidents, { imei, type }, at) !== undefined,
      })
    },
    async outbox(to) {
      await alerts?.settled()
      const isAddress = to?.includes('@') === true
      const texts = isAddress ? [] : await texter.outbox(to)
      const mails = to === undefined || isAddress ? await mailer.outbox(to) : []
      return [...mails, ...texts].sort((a, b) => b.at - a.at)
    },
    stats: () => ({
      mail: mailer.stats(),
      sms: texter.stats(),
      withheld: withheld.stats(),
      alerts: alerts?.stats() ?? { raised: { email: 0, sms: 0 }, waiting: 0 },
    }),
    async stop() {
      withheld.stop()
      await alerts?.stop()
      await Promise.all([mailer.stop(), texter.stop()])
    },
  }
}
