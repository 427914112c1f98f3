import { array, number, string, type } from 'superstruct'
import { decode, decodeJson } from '#machines/contracts/decode.ts'

const Targets = array(type({ webSocketDebuggerUrl: string() }))
const Answered = type({ id: number() })

/** The inspector of another Node process, one question at a time. */
export type Inspector = {
  /** what it answers, not decoded. Rejects when the process goes meanwhile */
  ask(method: string, params?: object): Promise<unknown>
  close(): void
}

/** Environment with which a process has to be started so that its inspector listens on this port of 127.0.0.1. */
export const inspectorOn = (port: number, ...options: string[]): Record<string, string> => ({
  NODE_OPTIONS: [`--inspect=127.0.0.1:${port}`, ...options].join(' '),
})

export async function connectInspector(port: number): Promise<Inspector> {
  const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
  const [target] = decode(await answer.json(), Targets, 'inspector')
  if (target === undefined) throw new Error('the inspector has nothing to inspect')
  const socket = new WebSocket(target.webSocketDebuggerUrl)
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let id = 0
  return {
    ask(method, params = {}) {
      const requested = ++id
      return new Promise((resolve, reject) => {
        socket.onclose = () => reject(new Error(`the inspector was gone at ${method}`))
        socket.onmessage = ({ data }: MessageEvent<string>) => {
          const answered = decodeJson(data, Answered, 'inspector')
          if (answered.id === requested) resolve((answered as { result?: unknown }).result)
        }
        socket.send(JSON.stringify({ id: requested, method, params }))
      })
    },
    close: () => socket.close(),
  }
}
