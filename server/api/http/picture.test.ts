import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { pictureOf } from './picture.ts'

const made = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0a7' } })
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><rect width="9" height="9"/></svg>'

/** kinds of PNG */
const [GREY, RGBA] = [0, 6]

/** A PNG that says it is so large, whose pixels are all the same: some kilobytes that unpack to gigabytes. `bits`: a pixel. */
function bomb(
  width: number,
  height: number,
  { depth, kind, bits } = { depth: 1, kind: GREY, bits: 1 },
): Buffer {
  const chunk = (type: string, data: Buffer): Buffer => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(data.length)
    const named = Buffer.concat([Buffer.from(type), data])
    const sum = Buffer.alloc(4)
    sum.writeUInt32BE(crc(named))
    return Buffer.concat([length, named, sum])
  }
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([depth, kind, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc((Math.ceil((width * bits) / 8) + 1) * height), { level: 1 })
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
function crc(bytes: Buffer): number {
  let sum = 0xffffffff
  for (const byte of bytes) {
    sum ^= byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1
  }
  return (sum ^ 0xffffffff) >>> 0
}

describe('a picture', () => {
  test.each(['png', 'jpeg', 'webp', 'gif', 'avif', 'tiff'] as const)(
    'may be %s, and is kept as WebP',
    async (format) => {
      const picture = await pictureOf(await made(60, 30).toFormat(format).toBuffer())
      expect(await sharp(picture?.bytes).metadata()).toMatchObject({ format: 'webp', width: 60, height: 30 })
      expect(picture?.name).toMatch(/^[A-Za-z0-9_-]{43}$/)
    },
  )

  test('is made as large as screens show it, and not larger than it was', async () => {
    const { bytes } = (await pictureOf(await made(3000, 1500).png().toBuffer())) ?? {}
    expect(await sharp(bytes).metadata()).toMatchObject({ width: 512, height: 256 })
  })

  test('stands as it was held, and tells nothing of where and when', async () => {
    const held = await made(40, 20)
      .withExif({ IFD0: { Artist: 'Ayesha', Orientation: '6' }, IFD3: { GPSLatitude: '31/1 33/1 0/1' } })
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer()
    const { bytes } = (await pictureOf(held)) ?? {}
    const kept = await sharp(bytes).metadata()
    expect([kept.width, kept.height, kept.exif, kept.orientation]).toEqual([20, 40, undefined, undefined])
    expect(bytes?.includes('Ayesha')).toBe(false)
  })

  test('given twice has one name', async () => {
    const file = await made(50, 50).png().toBuffer()
    expect((await pictureOf(file))?.name).toBe((await pictureOf(file))?.name)
  })

  test.each<[string, () => Buffer | Promise<Buffer>]>([
    ['text', () => Buffer.from('no picture')],
    ['nothing', () => Buffer.alloc(0)],
    ['a drawing, which could fetch what it likes', () => Buffer.from(SVG)],
    ['a drawing after the first bytes of a PNG', () => Buffer.from(`\x89PNG\r\n\x1a\n${SVG}`, 'latin1')],
    ['a page', () => Buffer.from('GIF89a<script>alert(1)</script>')],
    ['half a PNG', async () => (await made(300, 300).png().toBuffer()).subarray(0, 200)],
    [
      'a JPEG cut in its middle',
      async () => {
        const file = await sharp(Buffer.from(Array.from({ length: 30_000 }, (_, i) => (i * 7919) % 251)), {
          raw: { width: 100, height: 100, channels: 3 },
        })
          .jpeg()
          .toBuffer()
        return file.subarray(0, file.length / 2)
      },
    ],
    ['a bomb of 30,000 by 30,000 pixels', () => bomb(30_000, 30_000)],
    ['few pixels of many bytes each', () => bomb(5200, 5200, { depth: 16, kind: RGBA, bits: 64 })],
    ['a picture that says it is wider than anything', () => bomb(2_000_000, 50)],
  ])('is not: %s', async (_, file) => {
    expect(await pictureOf(await file())).toBeUndefined()
  })

  test('of a large camera is one', async () => {
    expect(await pictureOf(bomb(7000, 5000))).toBeDefined()
  })
})
