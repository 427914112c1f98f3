import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, test } from 'vitest'
import { readZip } from './read-zip.ts'

const MOST = 1_000_000

describe('reading a ZIP', () => {
  test('gives each file back as it was put in, packed or not', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 5000 }), { maxKeys: 5 }),
        fc.constantFrom(0 as const, 6 as const),
        async (files, level) => {
          const read = await readZip(zipSync(files, { level }), MOST)
          expect(Object.fromEntries(read.map(({ name, bytes }) => [name, Array.from(bytes)]))).toEqual(
            Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, Array.from(bytes)])),
          )
        },
      ),
    )
  })

  test('leaves folders out', async () => {
    const zip = zipSync({ 'reports/': new Uint8Array(), 'reports/a.pdf': strToU8('a') })
    expect((await readZip(zip, MOST)).map(({ name }) => name)).toEqual(['reports/a.pdf'])
  })

  test('refuses what is none, is cut off, or unpacks to too much', async () => {
    const zip = zipSync({ a: new Uint8Array(100_000) })
    await expect(readZip(strToU8('%PDF'), MOST)).rejects.toThrow()
    await expect(readZip(zip.subarray(0, zip.length - 30), MOST)).rejects.toThrow()
    await expect(readZip(zip, 1000)).rejects.toThrow('too large')
    // a directory that says less than there is
    const lies = zip.slice()
    const end = lies.length - 22
    const directory = new DataView(lies.buffer).getUint32(end + 16, true)
    new DataView(lies.buffer).setUint32(directory + 24, 10, true)
    await expect(readZip(lies, MOST)).rejects.toThrow('larger than it says')
  })
})
