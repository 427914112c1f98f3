import { array, literal, number, object, type as open, string } from 'superstruct'
import { decode, decodeJson } from '#machines/contracts/decode.ts'

const Targets = array(open({ webSocketDebuggerUrl: string() }))
const Usage = open({ usedSize: number(), backingStorageSize: number() })
const Answered = open({ id: number() })
/** What `gc()` answers; were it not there, this would be an error. */
const Collected = object({ result: object({ type: literal('undefined') }) })

/** A look into the memory of another Node process, by its inspector. */
export type HeapGauge = {
  /** environment with which the process has to be started */
  env: Record<string, string>
  /** bytes of objects, and of the buffers behind columns, after a full collection */
  measure(): Promise<{ objects: number; buffers: number }>
}

/**
 * The collection is V8's ordinary full one: the inspector's own throws compiled code away too, and the process is slow
 * for seconds after it.
 * @param port of 127.0.0.1 for the inspector of that process
 */
export function heapGauge(port: number): HeapGauge {
  return {
    env: { NODE_OPTIONS: `--inspect=127.0.0.1:${port} --expose-gc` },
    async measure() {
      const answer = await fetch(`http://127.0.0.1:${port}/json/list`)
      const [target] = decode(await answer.json(), Targets, 'inspector')
      if (target === undefined) throw new Error('the inspector has nothing to inspect')
      const socket = new WebSocket(target.webSocketDebuggerUrl)
      try {
        await new Promise((resolve, reject) => {
          socket.onopen = resolve
          socket.onerror = reject
        })
        decode(await ask(socket, 1, 'Runtime.evaluate', { expression: 'gc()' }), Collected, 'collection')
        const { usedSize, backingStorageSize } = decode(
          await ask(socket, 2, 'Runtime.getHeapUsage'),
          Usage,
          'heap usage',
        )
        return { objects: usedSize, buffers: backingStorageSize }
      } finally {
        socket.close()
      }
    },
  }
}

function ask(socket: WebSocket, id: number, method: string, params = {}): Promise<unknown> {
  return new Promise((resolve, reject) => {
    socket.onclose = () => reject(new Error(`the inspector was gone at ${method}`))
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      const answer = decodeJson(data, Answered, 'inspector')
      if (answer.id === id) resolve((answer as { result?: unknown }).result)
    }
    socket.send(JSON.stringify({ id, method, params }))
  })
}
