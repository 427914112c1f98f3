import { SERVER_CALLS } from '#machines/contracts/calls/server-calls.ts'
import type { Caller } from './control.ts'

/** Writes instants as the date fields of the portal take them: DD-MM-YYYY HH:mm by the clock of the server. */
export async function writerOf(api: Caller): Promise<(at: number) => string> {
  const { timeZone } = await api.ask(SERVER_CALLS.time, {})
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, value]))
    const [day, month, year, hour, minute] = ['day', 'month', 'year', 'hour', 'minute'].map((part) =>
      parts.get(part as Intl.DateTimeFormatPartTypes),
    )
    return `${day}-${month}-${year} ${hour}:${minute}`
  }
}
