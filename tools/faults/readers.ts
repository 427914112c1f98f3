import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { TRACKERS } from './writers.ts'

/** The land under the map: megabytes, more than waits in buffers along the way. */
const LARGE = '/map/world.pmtiles'
/** The slow reader takes nothing for so long. */
const SLOW_MS = 5000
/** A request that left this late before the server was told to end may find its connection just closed: it was never taken. */
const DOORWAY_MS = 250

/** Who waited so long was let in: a closed door is noticed at once. */
export const TAKEN_MS = 2000

export type Reading = {
  address: string
  token: string
  seen: { answers: number; wrong: string[] }
  /** when the server was told to end, `performance.now()`; undefined: not yet */
  requestedTo: number | undefined
}

/** So many read whatever screens ask for, until the server is gone. `day`: one there are readings of, epoch ms. */
export async function readOn(reading: Reading, readers: number, day: number): Promise<void> {
  const data = encodeURIComponent(JSON.stringify({ startDate: day, endDate: day + 86_400_000 - 1 }))
  const paths = [
    '/groups/indus/observations-latest',
    '/groups/company/indus',
    `/things/${TRACKERS[0]}/observations?data=${data}`,
    '/groups/indus/users',
  ]
  await Promise.all(
    Array.from({ length: readers }, (_, i) => readAgain(reading, `/api${paths[i % paths.length]}`)),
  )
}

/** Asks again and again; an answer that began must end, and what is asked well before the end must be answered. */
async function readAgain(reading: Reading, path: string): Promise<void> {
  const { address, token, seen } = reading
  for (;;) {
    const left = performance.now()
    let answer: Response
    try {
      answer = await fetch(`${address}${path}`, { headers: { authorization: `Bearer ${token}` } })
    } catch {
      const { requestedTo = Number.POSITIVE_INFINITY } = reading
      const waited = performance.now() - left
      if (left < requestedTo - DOORWAY_MS || waited > TAKEN_MS)
        seen.wrong.push(`GET ${path} was not answered for ${Math.round(waited)} ms, then its line was cut`)
      return
    }
    try {
      const text = await answer.text()
      if (answer.status === 503 && reading.requestedTo !== undefined) return
      if (answer.status === 200 && JSON.parse(text) !== null) seen.answers++
      else seen.wrong.push(`${path} was answered ${answer.status} ${text.slice(0, 200)}`)
    } catch (error) {
      seen.wrong.push(`${path} was cut short: ${String(error)}`)
      return
    }
  }
}

/**
 * Asks for a large file and lets it wait on its way while the server is told to end; all of it has to come. Resolves when
 * it is asked for, and what it resolves to when it came.
 */
export async function readSlowly({ address, seen }: Reading): Promise<{ read: Promise<void> }> {
  const { hostname, port, host } = new URL(address)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  await once(socket, 'connect')
  socket.pause()
  socket.write(`GET ${LARGE} HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
  await pause(DOORWAY_MS)

  async function read(): Promise<void> {
    await pause(SLOW_MS)
    let text = ''
    let bytes = 0
    socket.on('data', (piece) => {
      if (text.length < 4000) text += piece.toString('latin1')
      bytes += piece.length
    })
    socket.resume()
    await closed
    const [head = ''] = text.split('\r\n\r\n')
    const whole = head.length + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1])
    if (bytes === whole) seen.answers++
    else seen.wrong.push(`${LARGE}, read slowly: ${bytes} bytes of ${whole}`)
  }
  return { read: read() }
}
