/** The thread that draws the story of one load, and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { type LoadBookOf, loadBook } from './contents/load-book.ts'

const bytes = await loadBook(workerData as LoadBookOf)
parentPort?.postMessage(bytes, [bytes.buffer as ArrayBuffer])
