import { Agent, request } from 'node:http'
import { API_PREFIX } from '#machines/contracts/calls/call.ts'
import { DEVICE_KEY } from './writers.ts'

const CONNECTIONS = 64

/** What a gateway was answered. `again`: after so many ms it may come again. */
export type Posted = { status: number; text: string; again: number | undefined }

/** The connections of gateways to a server; `post` hands over one batch of readings as JSON. Rejects where the line breaks. */
export function openGateways(address: string): { post(body: string): Promise<Posted>; close(): void } {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
  return {
    post: (body) => post(agent, address, body),
    close: () => agent.destroy(),
  }
}

function post(agent: Agent, address: string, body: string): Promise<Posted> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-device-key': DEVICE_KEY }
    const requested = request(`${address}${API_PREFIX}/ingest`, { method: 'POST', agent, headers })
    requested.once('error', reject).once('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
      })
      const again = response.headers['retry-after']
      response.once('error', reject).once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text,
          again: again === undefined ? undefined : Number(again) * 1000,
        }),
      )
    })
    requested.end(body)
  })
}
