import { readFileSync } from 'node:fs'
import { connect, isIP, Socket } from 'node:net'
import { type ConnectionOptions, connect as encrypt } from 'node:tls'
import type { DatabaseAddress } from '../../config/database-address.ts'
import { ConnectionLost } from './failures.ts'

/** Asks a server of PostgreSQL for TLS: length and code of its SSLRequest. It answers with one letter. */
const SSL_REQUEST = Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])
const YES = 'S'.charCodeAt(0)

type Server = DatabaseAddress['hosts'][number]

/**
 * A connection to a server, encrypted as its address says. Done here and not by the library, which has one of TLS that was
 * ended while it was busy end the process. `onSocket` gets what is to be destroyed to end it.
 */
export async function openSocket(
  { host, port }: Server,
  { tls }: DatabaseAddress,
  onSocket: (socket: Socket) => void,
): Promise<Socket> {
  const plain = connect(port, host)
  onSocket(plain)
  // whoever is handed it listens; what goes wrong before is known by its end
  if (tls.mode === 'disable') return plain
  const letter = await firstByte(plain)
  if (letter !== YES) {
    if (tls.mode === 'prefer' && letter !== undefined) return plain
    return failed(plain, letter === undefined ? 'it ended at once' : 'the server has no TLS')
  }
  const options: ConnectionOptions = {
    socket: plain,
    // whose certificate it must be; without it any for `localhost` would do
    host,
    rejectUnauthorized: tls.mode.startsWith('verify'),
    ...(isIP(host) === 0 && { servername: host }),
    ...(tls.mode === 'verify-ca' && { checkServerIdentity: () => undefined }),
    ...(tls.authority !== undefined && { ca: readFileSync(tls.authority) }),
  }
  const secure = encrypt(options)
  onSocket(secure)
  const failure = await new Promise<Error | undefined>((resolve) => {
    secure.once('secureConnect', () => resolve(undefined))
    secure.once('close', () => resolve(new Error('it ended')))
    secure.on('error', resolve)
  })
  return failure === undefined ? secure : failed(secure, failure.message)
}

/** A socket that fails once somebody listens to it. */
export function refusedSocket(why: string): Socket {
  const socket = new Socket()
  setImmediate(() => socket.destroy(new ConnectionLost(why)))
  return socket
}

function failed(socket: Socket, why: string): Socket {
  socket.destroy()
  return refusedSocket(why)
}

/** undefined: it ended before there was one */
function firstByte(socket: Socket): Promise<number | undefined> {
  return new Promise((resolve) => {
    const ended = (): void => resolve(undefined)
    socket.once('data', (bytes) => {
      socket.off('close', ended)
      socket.off('error', ended)
      resolve(bytes[0])
    })
    socket.on('error', ended)
    socket.once('close', ended)
    socket.write(SSL_REQUEST)
  })
}
