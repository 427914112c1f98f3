import { literal, number, object, type as open } from 'superstruct'
import { decode } from '#machines/contracts/decode.ts'
import { connectInspector, inspectorOn } from '../build/inspector.ts'

const Usage = open({ usedSize: number(), backingStorageSize: number() })
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
    env: inspectorOn(port, '--expose-gc'),
    async measure() {
      const inspector = await connectInspector(port)
      try {
        decode(await inspector.ask('Runtime.evaluate', { expression: 'gc()' }), Collected, 'collection')
        const { usedSize, backingStorageSize } = decode(
          await inspector.ask('Runtime.getHeapUsage'),
          Usage,
          'heap usage',
        )
        return { objects: usedSize, buffers: backingStorageSize }
      } finally {
        inspector.close()
      }
    },
  }
}
