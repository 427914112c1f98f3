import { ContractError, decodeJson } from '#machines/contracts/decode.ts'
import { decodeLiveFrame, type LiveFrame } from '#machines/contracts/live-frame.ts'
import { type LiveHello, LiveMessage, type LiveResume } from '#machines/contracts/live-messages.ts'
import { PROTOCOL } from '#machines/contracts/protocol.ts'
import type { Hear } from './wire-tap.ts'

export type LiveSocketOptions = {
  /** `ws://…/live` */
  url: string
  /** a token good for now; undefined: nobody is signed in */
  token(): Promise<string | undefined>
  onFrame(frame: LiveFrame): void
  onMessage(message: LiveMessage): void
  /** once, however it ends; not after `close` */
  onClose(code: number, reason: string): void
  /** looks at what goes over it */
  hear?: Hear
}

export type LiveSocket = {
  /** asks for everything since a position; does nothing while the link is not open */
  resume(after: number): void
  close(): void
}

/** The server speaks once a second: silent for longer, it is gone, whatever the network says. */
export const LONGEST_SILENCE = 6000

const NO_TOKEN = 4401
const NOT_UNDERSTOOD = 4402
const SILENT = 4408

/** Opens `/live`: says hello, decodes what comes, and notices when nothing comes any more. */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { url, token, onFrame, onMessage, onClose, hear } = options
  const socket = new WebSocket(url)
  socket.binaryType = 'arraybuffer'
  let hasEnded = false
  let silence: ReturnType<typeof setTimeout> | undefined

  function end(code: number, reason: string): void {
    if (hasEnded) return
    quit()
    hear?.({ wire: 'live', isOpen: false, reason: `${code} ${reason}`.trim() })
    onClose(code, reason)
  }

  function quit(): void {
    hasEnded = true
    clearTimeout(silence)
    socket.close()
  }

  function listen(): void {
    clearTimeout(silence)
    silence = setTimeout(() => end(SILENT, 'silent'), LONGEST_SILENCE)
  }

  function say(message: LiveHello | LiveResume): void {
    hear?.({ wire: 'live', way: 'out', data: message })
    socket.send(JSON.stringify(message))
  }

  socket.addEventListener('open', async () => {
    listen()
    hear?.({ wire: 'live', isOpen: true, reason: '' })
    let mine: string | undefined
    try {
      mine = await token()
    } catch {
      // Told by whoever refreshes tokens; here it is the same as none.
    }
    if (hasEnded) return
    if (mine === undefined) return end(NO_TOKEN, 'nobody is signed in')
    say({ type: 'hello', token: mine, protocol: PROTOCOL })
  })
  socket.addEventListener('message', ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (hasEnded) return
    listen()
    hear?.({ wire: 'live', way: 'in', data })
    try {
      if (typeof data === 'string') onMessage(decodeJson(data, LiveMessage, 'live message'))
      else onFrame(decodeLiveFrame(data))
    } catch (error) {
      if (!(error instanceof ContractError || error instanceof RangeError)) throw error
      end(NOT_UNDERSTOOD, error.message)
    }
  })
  socket.addEventListener('close', ({ code, reason }) => end(code, reason))
  return {
    resume(after) {
      if (socket.readyState === WebSocket.OPEN && !hasEnded) say({ type: 'resume', after })
    },
    close() {
      if (!hasEnded) hear?.({ wire: 'live', isOpen: false, reason: 'by the portal' })
      quit()
    },
  }
}
