import type { FileResult } from '#machines/rules/dropped-files.ts'
import { formatCount } from '../../format/numbers.ts'
import { madeTime } from '../../format/spoken-time.ts'

/** How it stands with a file: it may be relied on, it may not, or more is needed to tell. */
export type Standing = 'good' | 'bad' | 'open'
export type ResultWords = { standing: Standing; words: string; more: string | undefined }

/** What there is to say of a given file, in one sentence and, where it helps, another. */
export function resultWords(result: FileResult): ResultWords {
  switch (result.is) {
    case 'genuine': {
      const { madeAt, timeZone, position, title, version } = result.file
      return {
        standing: 'good',
        words: `Genuine: made ${madeTime(madeAt, timeZone)}, position ${formatCount(position)}`,
        more: [title, version > 1 ? `version ${version}` : undefined].filter(Boolean).join(', ') || undefined,
      }
    }
    case 'superseded':
      return {
        standing: 'open',
        words: `Superseded by version ${result.by.version}`,
        more: `It is what Frostline made ${madeTime(result.file.madeAt, result.file.timeZone)}. The later version was made ${madeTime(result.by.madeAt, result.file.timeZone)}: ask for that one.`,
      }
    case 'changed':
      return { standing: 'bad', words: 'Changed: not the bytes Frostline made', more: result.why }
    case 'unknown-key':
      return {
        standing: 'open',
        words: 'Signed by a key this page does not know',
        more: `It is the key ${result.keyId}. Add the file of keys of the server it is said to come from.`,
      }
    case 'head':
      return {
        standing: 'open',
        words: `A signed head, of ${formatCount(result.head.size)} entries`,
        more: `Frostline signed it ${madeTime(result.head.at)}. Whether the record of today still begins with it, a comparison shows.`,
      }
    case 'unknown-head-key':
      return {
        standing: 'open',
        words: 'Signed by a key this page does not know',
        more: `It is the key ${result.keyId}. Add the file of keys of the server the mail is said to come from.`,
      }
    case 'no-seal':
      return {
        standing: 'open',
        words: 'No seal for it',
        more: 'Add the file that ends in .seal.json, or the ZIP that holds both.',
      }
    case 'no-file':
      return {
        standing: 'open',
        words: 'A seal without its file',
        more: `It stands for ${result.sealed.join(', ')}. Add that file.`,
      }
    case 'unreadable':
      return { standing: 'bad', words: 'Not a seal as Frostline writes them', more: result.why }
    case 'same-log':
      return {
        standing: 'good',
        words: 'The same log',
        more: `The record of ${formatCount(result.after.size)} entries, signed ${madeTime(result.after.at)}, begins with the ${formatCount(result.before)} of the earlier head, unchanged.`,
      }
    case 'other-log':
      return { standing: 'bad', words: 'Not shown to be the same log', more: result.why }
  }
}
