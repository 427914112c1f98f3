import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join, relative } from 'node:path'
import {
  type AdminReply,
  AdminRequest,
  adminReply,
  MOST_BYTES,
  type OperationName,
} from '#machines/contracts/administration.ts'
import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import { StoreUnavailable } from '../store/store.ts'
import type { Administration } from './administration.ts'

const SOCKET_FILE = 'admin.sock'
/** Of a Unix socket's address on Linux, bytes. */
const LONGEST_PATH = 107
/** Who is let in says what they want, or hears the answer, in this time of silence, ms. */
const PATIENCE_MS = 60_000
const OWNER_ALONE = 0o600

/** The folder's path is too long for a socket in it. */
export class PathTooLong extends Error {
  constructor(path: string) {
    super(`${path} is longer than the ${LONGEST_PATH} characters of a socket's address`)
    this.name = 'PathTooLong'
  }
}

/** Where a server of this folder listens: from here or from the root, whichever is shorter. */
function socketPath(dataDir: string): string {
  const path = join(dataDir, SOCKET_FILE)
  const fromHere = relative(process.cwd(), path)
  const shorter = fromHere !== '' && fromHere.length < path.length ? fromHere : path
  if (Buffer.byteLength(shorter) > LONGEST_PATH) throw new PathTooLong(path)
  return shorter
}

/**
 * Listens in the folder of the record for `npm run admin` of the same user; whoever reads the folder may not write there
 * else either. The folder must be this process's: what lies there of one before is removed.
 * @throws PathTooLong
 */
export async function listenForAdmin(
  dataDir: string,
  administration: () => Administration,
): Promise<{ close(): Promise<void> }> {
  const path = socketPath(dataDir)
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  // half open: the request is over before the answer is
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    void serve(socket, administration)
  })
  await listen(server, path)
  return {
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function listen(server: Server, path: string): Promise<void> {
  // nobody may connect between its making and its mode
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(path, resolve)
    })
  } finally {
    process.umask(before)
  }
  chmodSync(path, OWNER_ALONE)
}

async function serve(socket: Socket, administration: () => Administration): Promise<void> {
  socket.on('error', () => {})
  try {
    const reply = await answered(await wholeText(socket), administration)
    socket.end(JSON.stringify(reply))
  } catch {
    // they are gone, or were silent for too long
    socket.destroy()
  }
}

async function answered(text: string, administration: () => Administration): Promise<AdminReply> {
  try {
    return await administration().run(decodeJson(text, AdminRequest, 'request'))
  } catch (error) {
    return { refused: refusalOf(error) }
  }
}

function refusalOf(error: unknown) {
  const message = error instanceof Error ? error.message : String(error)
  if (error instanceof ContractError) return { status: 400, message, path: error.path }
  return { status: error instanceof StoreUnavailable ? 503 : 500, message, path: null }
}

/**
 * Lets the server that has this folder open do something.
 * @returns undefined where no server has it open
 * @throws PathTooLong; ContractError where the server answers something else, as another release might
 */
export async function askServer<N extends OperationName>(
  dataDir: string,
  request: AdminRequest & { operation: N },
): Promise<AdminReply<N> | undefined> {
  const socket = await connected(socketPath(dataDir))
  if (socket === undefined) return undefined
  socket.end(JSON.stringify(request))
  return decodeJson(await wholeText(socket), adminReply(request.operation), "the server's answer")
}

function connected(path: string): Promise<Socket | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ path, allowHalfOpen: true })
    socket.once('connect', () => resolve(socket))
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT' || error.code === 'ECONNREFUSED') resolve(undefined)
      else reject(error)
    })
  })
}

/** All that comes until the other side ends. @throws Error where it is more than is ever said, or takes too long */
async function wholeText(socket: Socket): Promise<string> {
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('nothing came for too long')))
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += part.length
    if (bytes > MOST_BYTES) throw new Error('more came than is ever said')
    parts.push(part)
  }
  return Buffer.concat(parts).toString()
}
