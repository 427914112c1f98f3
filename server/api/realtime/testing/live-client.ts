import { WebSocket } from 'ws'
import { decodeJson } from '#machines/contracts/decode.ts'
import { decodeLiveFrame, type LiveFrame } from '#machines/contracts/live-frame.ts'
import { LiveMessage } from '#machines/contracts/live-messages.ts'

export type Row = {
  at: number
  temperature: number
  humidity: number
  state: number
  lat: number
  lng: number
  speed: number
  heading: number
}

/** What a visitor knows, kept the plainest way there is; it outlives the links that bring it. */
export type Knowledge = { seq: number | undefined; rows: Map<number, Row> }

export const knowNothing = (): Knowledge => ({ seq: undefined, rows: new Map() })

/** Takes a frame in; false where it does not join on to what is known. */
export function learn(knowledge: Knowledge, frame: LiveFrame): boolean {
  if (knowledge.seq === undefined || frame.prevSeq > knowledge.seq) return false
  frame.device.forEach((no, i) => {
    const row = knowledge.rows.get(no) ?? { lat: 0, lng: 0, speed: 0, heading: 0 }
    const moved = frame.movedRow.indexOf(i)
    knowledge.rows.set(no, {
      ...row,
      at: frame.at[i] as number,
      temperature: frame.temperature[i] as number,
      humidity: frame.humidity[i] as number,
      state: frame.state[i] as number,
      ...(moved >= 0 && {
        lat: frame.lat[moved] as number,
        lng: frame.lng[moved] as number,
        speed: frame.speed[moved] as number,
        heading: frame.heading[moved] as number,
      }),
    })
  })
  knowledge.seq = Math.max(knowledge.seq, frame.seq)
  return true
}

export type LiveClient = {
  socket: WebSocket
  frames: LiveFrame[]
  messages: LiveMessage[]
  gaps: number
  /** resolves when the condition holds, looked at after every message; rejects when the link ends first */
  until(condition: () => boolean): Promise<void>
  closed: Promise<{ code: number; reason: string }>
}

/** Says hello with where `knowledge` ends, and keeps it up to date from there. */
export function connectLive(port: number, token: string, knowledge = knowNothing()): LiveClient {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live`)
  socket.binaryType = 'arraybuffer'
  const waiting = new Set<{ condition: () => boolean; resolve: () => void; reject: (error: Error) => void }>()
  const look = () => {
    for (const waiter of waiting)
      if (waiter.condition()) {
        waiting.delete(waiter)
        waiter.resolve()
      }
  }
  const client: LiveClient = {
    socket,
    frames: [],
    messages: [],
    gaps: 0,
    until: (condition) =>
      new Promise((resolve, reject) => {
        waiting.add({ condition, resolve, reject })
        look()
      }),
    closed: new Promise((resolve) =>
      socket.on('close', (code, reason) => {
        for (const waiter of waiting) waiter.reject(new Error(`closed: ${code} ${reason}`))
        resolve({ code, reason: String(reason) })
      }),
    ),
  }
  socket.on('error', () => {})
  socket.on('open', () => socket.send(JSON.stringify({ type: 'hello', token, after: knowledge.seq })))
  socket.on('message', (data, isBinary) => {
    if (isBinary) {
      const frame = decodeLiveFrame(data as ArrayBuffer)
      client.frames.push(frame)
      if (!learn(knowledge, frame)) client.gaps++
    } else {
      const message = decodeJson(new TextDecoder().decode(data as ArrayBuffer), LiveMessage, 'live message')
      client.messages.push(message)
      if (message.type === 'welcome') knowledge.seq ??= message.seq
      if (message.type === 'age') {
        if (knowledge.seq === undefined || message.prevSeq > knowledge.seq) client.gaps++
        else knowledge.seq = Math.max(knowledge.seq, message.seq)
      }
    }
    look()
  })
  return client
}
