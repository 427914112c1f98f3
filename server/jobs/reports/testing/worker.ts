/** Makes files for tests: of what the order and the source say, and in the ways that the title of the report names. */
import { setTimeout } from 'node:timers/promises'
import { BroadcastChannel } from 'node:worker_threads'
import { type MakeFiles, ReportFault } from '../order.ts'

export const makeFiles: MakeFiles = async (order, source, onProgress, signal) => {
  onProgress(0.5)
  if (order.title === 'throws') throw new TypeError('undefined is not a function')
  if (order.title === 'is refused') throw new ReportFault('It would have more rows than a sheet')
  if (order.title === 'dies') process.exit(1)
  if (order.title === 'waits') await setTimeout(1e9, undefined, { signal })
  const lines: unknown[] = [order, source.devices, source.groups, source.picked, source.violations]
  for (const { no } of source.devices) {
    const { at, temperature, length } = await source.readings(no, order.from, order.to)
    lines.push([no, [...at.subarray(0, length)], [...temperature.subarray(0, length)]])
  }
  for await (const facts of source.facts(['violation.opened', 'device.updated'])) lines.push(facts)
  const bytes = new TextEncoder().encode(JSON.stringify(lines))
  if (order.title === 'dies after it') dieOnMessage()
  const name = order.title === 'has a name too long for a file' ? 'n'.repeat(300) : order.title
  return [{ bytes, fileName: `${name}.json`, contentType: 'application/json' }]
}

/** Where a test says that the thread is to die now. */
export const DEATH = 'frostline-test-death'

function dieOnMessage(): void {
  const channel = new BroadcastChannel(DEATH)
  channel.onmessage = () => {
    throw new Error('nobody awaits this')
  }
  channel.unref()
}
