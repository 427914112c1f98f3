import type { Directory } from '#machines/projections/directory.ts'
import type { Links } from '../access/links.ts'

export type Attachment = { filename: string; contentType: string; content: Uint8Array }

/** What one person gets. Written anew whenever it is needed: letters are not stored. */
export type Letter = {
  /** the same whenever it is written, and nobody else's: becomes the Message-ID */
  id: string
  kind: string
  to: { name: string; address: string }
  subject: string
  text: string
  html: string
  /** addresses it leads to, the one it is about first */
  links: string[]
  /** after this instant (epoch ms, the house's clock) it would only annoy */
  goodUntil: number
  /** what it was about is settled or replaced: not to be sent any more */
  isWithdrawn: boolean
  attachments?: Attachment[]
}

/** What letters are written from, besides the fact they tell of. */
export type Source = {
  directory: Directory
  links: Pick<Links, 'tokenOf' | 'codeOf' | 'hashToken'>
  /** what addresses start with, without a slash at the end */
  publicUrl: string
}
