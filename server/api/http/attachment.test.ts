import { expect, test } from 'vitest'
import { attachmentOf } from './attachment.ts'

test.each([
  ['Lot (7).pdf', `attachment; filename="Lot (7).pdf"; filename*=UTF-8''Lot%20%287%29.pdf`],
  ['Ł"\r\n.pdf', `attachment; filename="____.pdf"; filename*=UTF-8''%C5%81%22%0D%0A.pdf`],
  ['half \ud83e.pdf', `attachment; filename="half _.pdf"; filename*=UTF-8''half%20%EF%BF%BD.pdf`],
])('%j', (name, header) => expect(attachmentOf(name)).toBe(header))
