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
const NO_ED25519 =
  'This browser cannot check signatures of the kind Frostline makes (Ed25519), which says nothing about your files. Chrome and Edge from 137, Firefox from 129 and Safari from 17 can: open this page, or the one you saved as a file, in one of them.'

/** `unread`: why some of them could not be read, in words */
export type TakenFiles = { files: GivenFile[]; unread: string[] }

/** The files somebody gave, those in a ZIP one by one; one that cannot be read is no harm to the others. @throws Error in words for what is too large */
export async function givenFiles(given: readonly File[]): Promise<TakenFiles> {
  const size = given.reduce((sum, file) => sum + file.size, 0)
  if (size > MOST_BYTES || given.length > MOST_FILES)
    throw new Error('That is too much at once: 300 MB and 1,000 files at most.')
  const files: GivenFile[] = []
  const unread: string[] = []
  for (const file of given) {
    const bytes = await file.arrayBuffer().then(
      (buffer) => new Uint8Array(buffer),
      () => undefined,
    )
    if (bytes === undefined)
      unread.push(`${file.name} could not be read. Of a folder, give the files that are in it.`)
    else if (!/\.zip$/i.test(file.name)) files.push({ name: file.name, bytes })
    else {
      const inside = await readZip(bytes, MOST_BYTES).catch(() => undefined)
      if (inside === undefined) unread.push(`${file.name} is no ZIP that can be read.`)
      else files.push(...inside)
    }
  }
  return { files, unread }
}
