import { expect, test } from 'vitest'
import { mailboxOf } from './mailbox.ts'

test.each([
  [' Ayesha@Indus.Example ', 'ayesha@indus.example'],
  ['me@\uff47mail.com', 'me@gmail.com'],
  ['me@g\u00admail.com', 'me@gmail.com'],
  ['\uff4de@gmail.com', 'me@gmail.com'],
  ['ops@M\u00dcNCHEN.example', 'ops@xn--mnchen-3ya.example'],
  ['ops@xn--mnchen-3ya.example', 'ops@xn--mnchen-3ya.example'],
  ['Z\u00fcrich7', 'z\u00fcrich7'],
])('%s is that of %s', (address, mailbox) => expect(mailboxOf(address)).toBe(mailbox))
