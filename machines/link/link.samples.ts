import { LIVE_CLOSE } from '../contracts/live-messages.ts'
import { linkMachine } from './link.machine.ts'

export const AT = Date.UTC(2026, 10, 1, 14, 2)

export const cut = { type: 'closed', code: 1006, reason: '', at: AT } as const
export const refused = { type: 'closed', code: LIVE_CLOSE.refused, reason: 'token ran out', at: AT } as const

export const model = {
  name: 'link',
  kind: 'screen' as const,
  machine: linkMachine,
  input: { at: AT },
  events: [
    { type: 'opened' },
    cut,
    refused,
    { type: 'networkLost', at: AT },
    { type: 'networkBack' },
    { type: 'retry' },
    { type: 'outdated' },
  ],
  serializeState: (snapshot: { value: unknown; context: { failures: number } }) =>
    JSON.stringify([snapshot.value, Math.min(snapshot.context.failures, 2)]),
  describe: (event: { type: string; code?: number }) => {
    if (event.type === 'closed') return event.code === LIVE_CLOSE.refused ? 'being refused' : 'a cut'
    if (event.type === 'opened') return 'being let in'
    if (event.type === 'networkLost') return 'losing the network'
    if (event.type === 'outdated') return 'being older than the server'
    if (event.type === 'networkBack') return 'having the network back'
    return undefined
  },
}
