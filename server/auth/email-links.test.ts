import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEmailLinks } from './email-links.ts'

const env = { activationTtl: 86_400, resetTtl: 3600 }
const clock = { now: () => 1000 }
const links = createEmailLinks({ secret: 'a secret of thirty-two characters', clock, env })

describe('a link', () => {
  test('runs out after the time of its purpose; only a password link has a code', () => {
    expect(links.make('activation')).toMatchObject({ expiresAt: 1000 + 86_400_000, codeHash: null })
    expect(links.make('password')).toMatchObject({ expiresAt: 1000 + 3_600_000 })
  })

  test('is known by its token and its code, and holds neither', () => {
    const link = links.make('password')
    const token = links.tokenOf(link.linkId)
    const code = links.codeOf(link.linkId)
    expect(links.hashToken(token)).toBe(link.tokenHash)
    expect(links.hashCode(link.linkId, code)).toBe(link.codeHash)
    expect(JSON.stringify(link)).not.toContain(token)
    expect(token).toMatch(/^[\w-]{43}$/)
  })

  test('has the same token and code in another process with the same key, and others with another key', () => {
    const { linkId } = links.make('password')
    const again = createEmailLinks({ secret: 'a secret of thirty-two characters', clock, env })
    const other = createEmailLinks({ secret: 'another secret of thirty-two chars', clock, env })
    expect([again.tokenOf(linkId), again.codeOf(linkId)]).toEqual([
      links.tokenOf(linkId),
      links.codeOf(linkId),
    ])
    expect(other.tokenOf(linkId)).not.toBe(links.tokenOf(linkId))
    expect(other.hashCode(linkId, '000000')).not.toBe(links.hashCode(linkId, '000000'))
  })

  test('whatever its id, has six digits, and no other link their proof', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (one, two) => {
        fc.pre(one !== two)
        const code = links.codeOf(one)
        expect(code).toMatch(/^\d{6}$/)
        expect(links.hashCode(one, code)).not.toBe(links.hashCode(two, code))
        expect(links.tokenOf(one)).not.toBe(links.tokenOf(two))
      }),
    )
  })
})
