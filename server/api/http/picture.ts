import { createHash } from 'node:crypto'
import sharp, { type Sharp } from 'sharp'
import { createTurns } from '../../cluster/turns.ts'

/** The longer side of what is kept, pixels; half of it where there is so much to see that it would be more than these bytes. */
const SIDE = 512
const MOST_KEPT_BYTES = 100_000
/** A photograph of a large camera; what unpacks to more is meant to fill the memory. */
const MOST_PIXELS = 50_000_000
/** What is interlaced is held unpacked as a whole. */
const MOST_BYTES = 200_000_000
const BYTES_EACH: Record<string, number> = { ushort: 2, short: 2, uint: 4, int: 4, float: 4, complex: 8 }
const SECONDS = 10
const QUALITY = 86

const inTurn = createTurns()

// one thread a picture and nothing kept: the server has other things to do
sharp.concurrency(1)
sharp.cache(false)

/** `name`: SHA-256 of the bytes, base64url; it can only be guessed by who has the picture already. */
export type Picture = { name: string; mediaType: 'image/webp'; bytes: Buffer }

/**
 * A file decoded, made as large as screens show it, and encoded anew: what else was in it (places, comments, programs) is
 * gone. Whether it is a picture is decided by decoding it, whatever its name and type say; undefined where it is none.
 */
export async function pictureOf(file: Buffer): Promise<Picture | undefined> {
  if (!STARTS.some((isOne) => isOne(file))) return undefined
  // one at a time: the same threads look at passwords and files
  return inTurn('', () => encodedAnew(file))
}

async function encodedAnew(file: Buffer): Promise<Picture | undefined> {
  try {
    const sent = sharp(file, { failOn: 'error', limitInputPixels: MOST_PIXELS, sequentialRead: true })
    const { width, height, channels, depth } = await sent.metadata()
    if (width * height * channels * (BYTES_EACH[depth] ?? 1) > MOST_BYTES) return undefined
    const whole = await encoded(sent, SIDE)
    const bytes = whole.length > MOST_KEPT_BYTES ? await encoded(sharp(whole), SIDE / 2) : whole
    return { name: createHash('sha256').update(bytes).digest('base64url'), mediaType: 'image/webp', bytes }
  } catch {
    return undefined
  }
}

const encoded = (picture: Sharp, side: number): Promise<Buffer> =>
  picture
    .timeout({ seconds: SECONDS })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: QUALITY })
    .toBuffer()

const holds =
  (at: number, text: string) =>
  (file: Buffer): boolean =>
    file.toString('latin1', at, at + text.length) === text

/** Pixels alone: what draws (SVG, PDF) could draw anything, from anywhere. PNG, JPEG, GIF, WebP, AVIF, TIFF. */
const STARTS = [
  holds(0, '\x89PNG\r\n\x1a\n'),
  holds(0, '\xff\xd8\xff'),
  holds(0, 'GIF8'),
  (file: Buffer) => holds(0, 'RIFF')(file) && holds(8, 'WEBP')(file),
  holds(4, 'ftypavif'),
  holds(0, 'II*\0'),
  holds(0, 'MM\0*'),
]
