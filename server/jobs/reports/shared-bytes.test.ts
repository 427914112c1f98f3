import { expect, test } from 'vitest'
import { createSharedBytes } from './shared-bytes.ts'

/** Bytes of names, and how often they were made. */
function openShared() {
  const shared = createSharedBytes()
  const made: string[] = []
  const ask = (name: string, bytes: Uint8Array | undefined = new Uint8Array([1, 2, 3]).subarray(1)) =>
    shared(name, async () => {
      made.push(name)
      return bytes
    })
  return { ask, made }
}

test('whoever comes while somebody has the bytes, or another view of them, gets the same', async () => {
  const { ask, made } = openShared()
  const [first, second] = await Promise.all([ask('a'), ask('a')])
  const sent = Buffer.from(first.buffer, first.byteOffset, first.length)
  const third = await ask('a')
  expect([...third]).toEqual([2, 3])
  expect([second.buffer, third.buffer].map((one) => one === sent.buffer)).toEqual([true, true])
  await ask('b')
  expect(made).toEqual(['a', 'b'])
})

test('what is not there, or could not be read, is looked for anew', async () => {
  const shared = createSharedBytes()
  const failed = () => Promise.reject(new Error('not read'))
  const both = [shared('a', failed), shared('a', failed)]
  for (const one of both) await expect(one).rejects.toThrow('not read')
  expect(await shared('a', async () => undefined)).toBeUndefined()
  expect(await shared('a', async () => new Uint8Array([7]))).toEqual(new Uint8Array([7]))
})
