import { describe, expect, test } from 'vitest'
import {
  emptyLinks,
  foldCodeRefused,
  foldEnded,
  foldIssued,
  foldUserGone,
  type Link,
  type Links,
  linkOf,
  linksOf,
  usableLink,
  validityOf,
} from './links.ts'

const data = (linkId: string, purpose: Link['purpose'] = 'password', userId = 'u1') => ({
  linkId,
  userId,
  purpose,
  tokenHash: `hash-${linkId}`,
  codeHash: null,
  expiresAt: 100,
})
const issued = (...all: ReturnType<typeof data>[]): Links => {
  const links = emptyLinks()
  for (const each of all) foldIssued(links, each, 0)
  return links
}
const validity = (links: Links, linkId: string, now = 50) =>
  validityOf(links.byToken.get(`hash-${linkId}`) as Link, now)

describe('a link', () => {
  test('works until its time, to the millisecond', () => {
    const links = issued(data('l1'))
    expect([validity(links, 'l1', 99), validity(links, 'l1', 100)]).toEqual([1, 0])
  })

  test('that was ended before its time has run out', () => {
    const links = issued(data('l1'))
    foldEnded(links, { userId: 'u1', linkId: 'l1' }, 'expired')
    expect(validity(links, 'l1')).toBe(0)
  })

  test('that was used stays used: after its time, and whatever is said of it later', () => {
    const links = issued(data('l1'))
    foldEnded(links, { userId: 'u1', linkId: 'l1' }, 'used')
    foldEnded(links, { userId: 'u1', linkId: 'l1' }, 'expired')
    expect([validity(links, 'l1'), validity(links, 'l1', 1000)]).toEqual([-1, -1])
  })

  test('counts wrong codes', () => {
    const links = issued(data('l1'), data('l2'))
    for (let at = 1; at <= 30; at++)
      foldCodeRefused(links, { userId: 'u1', linkId: at === 1 ? 'l1' : 'l2' }, at)
    expect(linksOf(links, 'u1').map(({ wrongCodes }) => wrongCodes)).toEqual([1, 29])
    expect(links.codesRefused.get('u1')).toEqual(Array.from({ length: 20 }, (_, n) => n + 11))
  })

  test('is the usable one of its purpose, or not', () => {
    const links = issued(data('l1', 'activation'), data('l2', 'password'))
    expect(usableLink(links, 'u1', 'password', 50)?.linkId).toBe('l2')
    expect(usableLink(links, 'u1', 'password', 100)).toBeUndefined()
    expect(usableLink(links, 'u2', 'password', 50)).toBeUndefined()
  })

  test('goes with its user, and leaves the others', () => {
    const links = issued(data('l1'), data('l2', 'password', 'u2'))
    foldUserGone(links, 'u1')
    expect(links.byToken.has('hash-l1')).toBe(false)
    expect(linkOf(links, 'u2', 'l2')).toBeDefined()
  })

  test('of which many follow is forgotten after twenty, those of another purpose are not', () => {
    const links = issued(
      data('first', 'activation'),
      ...Array.from({ length: 30 }, (_, n) => data(`l${n}`, 'password')),
    )
    expect(linksOf(links, 'u1')).toHaveLength(21)
    expect(links.byToken.size).toBe(21)
    expect(links.byToken.has('hash-l9')).toBe(false)
    expect(links.byToken.has('hash-l10')).toBe(true)
    expect(links.byToken.has('hash-first')).toBe(true)
  })

  test('that nobody has heard of changes nothing', () => {
    const links = issued(data('l1'))
    foldEnded(links, { userId: 'u1', linkId: 'other' }, 'used')
    foldCodeRefused(links, { userId: 'nobody', linkId: 'l1' }, 1)
    expect(linkOf(links, 'u1', 'l1')).toMatchObject({ state: 'open', wrongCodes: 0 })
  })
})
