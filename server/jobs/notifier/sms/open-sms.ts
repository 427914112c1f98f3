import type { Env } from '../../../config/config.ts'
import type { SenderOptions } from '../sending/sender.ts'
import { httpProvider, outboxProvider } from './sms-gateway.ts'
import { startTexter, type Texter } from './texter.ts'

type Parts = SenderOptions & { env: Pick<Env, 'smsUrl' | 'simulator'>; publicUrl: string }

/** Text messages as the environment wants them; says what an operator may not have meant. */
export function openSms({ env: { smsUrl, simulator }, ...parts }: Parts): Texter {
  if (smsUrl === undefined && !simulator)
    parts.warn('SMS_URL is not set: nobody gets any SMS, they are only written into the log')
  return startTexter({ ...parts, provider: smsUrl === undefined ? outboxProvider : httpProvider(smsUrl) })
}
