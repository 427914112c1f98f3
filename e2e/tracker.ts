import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

const ACCEPTED = 1

/** A tracker on the line: it has said who it is and was let in. */
export type Tracker = {
  /** sends one frame; returns the number of records the server says are stored */
  send(frame: Uint8Array): Promise<number>
  hangUp(): void
}

/**
 * Connects as Teltonika trackers do: u16 length and the IMEI in ASCII, answered with one byte.
 * @throws Error when the server does not know the IMEI
 */
export async function dial(port: number, imei: string): Promise<Tracker> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const name = Buffer.from(imei, 'ascii')
  socket.write(Buffer.concat([Buffer.from([name.length >> 8, name.length & 0xff]), name]))
  const answer = await take(socket, 1)
  if (answer[0] !== ACCEPTED) throw new Error(`The server does not let ${imei} in`)
  return {
    async send(frame) {
      socket.write(frame)
      return (await take(socket, 4)).readUInt32BE()
    },
    hangUp: () => socket.destroy(),
  }
}

/** A GT06 tracker on the line: locations have no answer. */
export type Gt06Tracker = { send(frame: Uint8Array): void; hangUp(): void }

/**
 * Connects as GT06 trackers do: a login, answered with ten bytes.
 * @throws Error when the line is cut instead
 */
export async function dialGt06(port: number, login: Uint8Array): Promise<Gt06Tracker> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(login)
  const cut = once(socket, 'close').then(() => {
    throw new Error('The server does not let this tracker in')
  })
  cut.catch(() => {})
  await Promise.race([take(socket, 10), cut])
  return { send: (frame) => void socket.write(frame), hangUp: () => socket.destroy() }
}

async function take(socket: Socket, length: number): Promise<Buffer> {
  let taken: Buffer = Buffer.alloc(0)
  while (taken.length < length) {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    taken = Buffer.concat([taken, piece])
  }
  return taken
}
