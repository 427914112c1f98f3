import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { CERTIFICATE, KEY } from './certificate.ts'

/** A wire to a server that a test can cut. */
export type Wire = {
  /** the address with the wire's end in place of the server's */
  url: string
  /** cuts whatever is connected, and lets nobody through any more */
  cut(): void
  /** lets through again */
  mend(): void
  /** The next message that holds these bytes arrives; its answer is taken away, and the connection with it. */
  loseAnswerTo(text: string): Promise<void>
  /** from now on nothing gets through, and nobody is told */
  freeze(): void
  close(): Promise<void>
}

type WireOptions = {
  /** whether its near end speaks TLS, as CERTIFICATE, to whoever asks for it as clients of PostgreSQL do */
  isEncrypted?: boolean
}

/** Lays a wire to the server at this address. */
export async function layWire(address: string, { isEncrypted = false }: WireOptions = {}): Promise<Wire> {
  const { hostname, port } = new URL(address)
  const ends = new Set<Socket>()
  let isCut = false
  let isFrozen = false
  let losing: { text: string; done: () => void } | undefined

  const server = createServer((near) => {
    if (isCut) near.destroy()
    else if (isEncrypted) near.once('data', () => join(encrypted(near)))
    else join(near)
  })
  function join(near: Socket): void {
    const far = connect(Number(port), hostname)
    let lost: (() => void) | undefined
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one)
      one.on('error', () => {})
      one.on('close', () => {
        ends.delete(one)
        if (!isFrozen) other.destroy()
      })
    }
    near.on('data', (bytes) => {
      if (isFrozen) return
      if (losing !== undefined && bytes.includes(losing.text)) {
        lost = losing.done
        losing = undefined
      }
      far.write(bytes)
    })
    far.on('data', (bytes) => {
      if (isFrozen) return
      if (lost === undefined) near.write(bytes)
      else {
        near.destroy()
        lost()
      }
    })
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const cutAll = (): void => {
    for (const end of ends) end.destroy()
  }
  const url = new URL(address)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: url.href,
    cut() {
      isCut = true
      cutAll()
    },
    mend() {
      isCut = false
      isFrozen = false
    },
    loseAnswerTo: (text) =>
      new Promise((done) => {
        losing = { text, done }
      }),
    freeze() {
      isFrozen = true
    },
    async close() {
      isFrozen = false
      server.close()
      cutAll()
      await once(server, 'close')
    },
  }
}

function encrypted(near: Socket): Socket {
  near.write('S')
  return new TLSSocket(near, { isServer: true, cert: CERTIFICATE, key: KEY })
}
