import type { GivenFile } from '#machines/rules/dropped-files.ts'
import type { SealCrypto } from '#machines/rules/verify-seal.ts'
import { readZip } from './read-zip.ts'

/** Nothing larger is read: a report of a year is some megabytes. */
const MOST_BYTES = 300 * 1024 * 1024
const MOST_FILES = 1000

/** What the browser has of the two things verifying needs. @throws Error in words, where it has not */
export function browserCrypto(subtle: SubtleCrypto | undefined = globalThis.crypto?.subtle): SealCrypto {
  if (subtle === undefined) throw new Error(NO_CRYPTO)
  return {
    sha256: async (bytes) => new Uint8Array(await subtle.digest('SHA-256', bytes as BufferSource)),
    async verify(publicKey, signature, signed) {
      const key = await subtle
        .importKey('raw', publicKey as BufferSource, 'Ed25519', false, ['verify'])
        .catch((error: unknown) => {
          throw error instanceof DOMException && error.name === 'NotSupportedError'
            ? new Error(NO_ED25519)
            : error
        })
      return subtle.verify('Ed25519', key, signature as BufferSource, signed as BufferSource)
    },
  }
}

const NO_CRYPTO =
  'This browser checks signatures on pages of https alone. Download the page as a file and open it from there.'
const NO_ED25519 = 'This browser cannot check Ed25519 signatures: take a newer one.'

/** The files somebody gave, those in a ZIP one by one. @throws Error in words for what is too large or no ZIP */
export async function givenFiles(files: readonly File[]): Promise<GivenFile[]> {
  const size = files.reduce((sum, file) => sum + file.size, 0)
  if (size > MOST_BYTES || files.length > MOST_FILES)
    throw new Error('That is too much at once: 300 MB at most.')
  const given: GivenFile[] = []
  for (const file of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    if (/\.zip$/i.test(file.name)) given.push(...(await unzipped(file.name, bytes)))
    else given.push({ name: file.name, bytes })
  }
  return given
}

async function unzipped(name: string, bytes: Uint8Array): Promise<GivenFile[]> {
  try {
    return await readZip(bytes, MOST_BYTES)
  } catch {
    throw new Error(`${name} is no ZIP that can be read.`)
  }
}
