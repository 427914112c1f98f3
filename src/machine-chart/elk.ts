import ELK from 'elkjs/lib/elk-api.js'
import workerUrl from 'elkjs/lib/elk-worker.min.js?url'

/** Lays charts out beside the page, in a worker of its own; begun with the first. */
export const elk = new ELK({ workerUrl })
