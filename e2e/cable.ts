import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** A wire between browser and app that can be cut: sockets die, and no new ones come through until it is mended. */
export type Cable = {
  url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function layCable(to: { port: number }): Promise<Cable> {
  let isCut = false
  const alive = new Set<Socket>()
  const server = createServer((near) => {
    if (isCut) {
      near.resetAndDestroy()
      return
    }
    const far = connect(to.port, '127.0.0.1')
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      alive.add(socket)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        alive.delete(socket)
        other.destroy()
      })
    }
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The cable has no port')
  const drop = (): void => {
    for (const socket of alive) socket.resetAndDestroy()
  }
  return {
    url: `http://127.0.0.1:${address.port}`,
    cut() {
      isCut = true
      drop()
    },
    mend() {
      isCut = false
    },
    async close() {
      server.close()
      drop()
      await once(server, 'close')
    },
  }
}
