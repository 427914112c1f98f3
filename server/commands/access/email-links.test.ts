import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { NewLink } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { type Directory, emptyDirectory, evolve } from '#machines/projections/directory.ts'
import { linksOf, validityOf } from '#machines/projections/links.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { type Decided, given } from '../testing/given.ts'
import {
  ALREADY_ACTIVE,
  CODE_TRIES,
  CODES_A_DAY,
  confirmByCode,
  expireLink,
  issueLink,
  LINK_EXPIRED,
  LINK_UNKNOWN,
  LINK_USED,
  LINK_WORKS,
  linkIssued,
  linkValidity,
  PASSWORD_MAILS_A_DAY,
  RESEND_AFTER_MS,
  RESENDS_A_DAY,
  resendLink,
  useLink,
  WRONG_CODE,
} from './email-links.ts'
import { setPassword } from './passwords.ts'

const HOUR = 3_600_000
type Purpose = NewLink['purpose']
const link = (linkId: string, purpose: Purpose = 'password', expiresAt = HOUR): NewLink => ({
  linkId,
  purpose,
  tokenHash: `token-${linkId}`,
  codeHash: purpose === 'password' ? `code-${linkId}` : null,
  expiresAt,
})
const issue = (made: NewLink, userId: string | null = 'u1', at = 1000) => ({
  type: 'link.issue' as const,
  at,
  by: null,
  data: { userId, asked: 'ayesha@indus.example', link: made },
})
const use = (linkId: string, at = 2000, userId = 'u1') => ({
  type: 'link.use' as const,
  at,
  by: userId,
  data: { userId, linkId, hash: '$argon2id$new' },
})
const confirm = (linkId: string | null, codeHash: string, at = 2000, userId: string | null = 'u1') => ({
  type: 'link.confirm' as const,
  at,
  by: userId,
  data: { login: 'ayesha', userId, linkId, codeHash, hash: '$argon2id$new', hasName: false },
})
const expire = (linkId: string, userId = 'u1') => ({
  type: 'link.expire' as const,
  at: 1500,
  by: null,
  data: { userId, linkId },
})
const resend = (linkId: string, made: NewLink, at: number) => ({
  type: 'link.resend' as const,
  at,
  by: 'u1',
  data: { userId: 'u1', linkId, link: made },
})
const issued = (made: NewLink, userId = 'u1') => linkIssued({ userId, companyId: 'indus' }, 1000, made)
const password: NewFact = {
  type: 'user.password-set',
  at: 1,
  companyId: 'indus',
  data: { userId: 'u1', hash: '$argon2id$old' },
}
const session: NewFact = {
  type: 'user.signed-in',
  at: 2,
  companyId: 'indus',
  data: { userId: 'u1', sessionId: 's1', refreshHash: 'h', expiresAt: HOUR },
}
const inShort = ({ facts }: Decided) =>
  facts.map(({ type, data }) => ('linkId' in data ? `${type} ${data.linkId}` : type))

describe('a link that is asked for', () => {
  test('is issued to its user', () => {
    const decision = given(...twoCompanies).when(issueLink, issue(link('l1')))
    expect(decision.facts).toEqual([
      { type: 'link.issued', at: 1000, companyId: 'indus', data: { ...link('l1'), userId: 'u1' } },
    ])
  })

  test('ends those of its purpose before it, and no other', () => {
    const decision = given(...twoCompanies, issued(link('l1')), issued(link('l2', 'activation'))).when(
      issueLink,
      issue(link('l3')),
    )
    expect(inShort(decision)).toEqual(['link.expired l1', 'link.issued l3'])
  })

  test('for an address nobody has is told as one fact as well, and refused to nobody', () => {
    const decision = given(...twoCompanies).when(issueLink, issue(link('l1'), null))
    expect(decision.refused).toBeUndefined()
    expect(decision.facts).toMatchObject([
      { type: 'user.refused', data: { userName: 'ayesha@indus.example', reason: 'address' } },
    ])
  })

  test('is issued ten times a day to who forgot a password; then a fact says that none was, and the last one works on', () => {
    const day = 24 * HOUR
    const mails = Array.from({ length: PASSWORD_MAILS_A_DAY }, (_, i) =>
      issued(link(`l${i}`, 'password', 2 * day)),
    )
    const atEnd = given(...twoCompanies, ...mails)
    const over = atEnd.when(issueLink, issue(link('more'), 'u1', 1000 + day - 1))
    expect(over.refused).toBeUndefined()
    expect(over.facts).toMatchObject([{ type: 'user.refused', data: { reason: 'budget' } }])
    expect(inShort(atEnd.when(issueLink, issue(link('more'), 'u1', 1000 + day))).at(-1)).toBe(
      'link.issued more',
    )
    // one that an administrator prints on the server is no mail
    const printed = { ...link('printed'), isPrinted: true as const }
    expect(inShort(atEnd.when(issueLink, issue(printed))).at(-1)).toBe('link.issued printed')
    expect(
      inShort(given(...twoCompanies, ...mails.slice(1)).when(issueLink, issue(link('more')))).at(-1),
    ).toBe('link.issued more')
  })

  test('to activate somebody who has a password is refused', () => {
    const decision = given(...twoCompanies, password).when(issueLink, issue(link('l1', 'activation')))
    expect(decision).toEqual({ facts: [], refused: { status: 409, message: ALREADY_ACTIVE } })
  })
})

describe('setting a password through a link', () => {
  test('uses it up, and ends every session and every other link', () => {
    const decision = given(...twoCompanies, password, session, issued(link('l1'))).when(useLink, use('l1'))
    expect(inShort(decision)).toEqual(['user.password-set', 'link.used l1', 'session.ended'])
  })

  test('counts the activation link as used, by whichever link it was', () => {
    const facts = [issued(link('l1', 'activation')), issued(link('l2'))]
    expect(inShort(given(...twoCompanies, ...facts).when(useLink, use('l2')))).toEqual([
      'user.password-set',
      'link.used l1',
      'link.used l2',
    ])
    expect(inShort(given(...twoCompanies, ...facts).when(useLink, use('l1')))).toEqual([
      'user.password-set',
      'link.used l1',
      'link.expired l2',
    ])
  })

  test.each([
    ['used before', [], LINK_USED],
    ['ended before', ['expire'], LINK_EXPIRED],
  ])('is refused where it was %s', (_, before, message) => {
    const first = given(...twoCompanies, issued(link('l1')))
    const { facts } =
      before.length > 0 ? first.when(expireLink, expire('l1')) : first.when(useLink, use('l1'))
    const decision = given(...twoCompanies, issued(link('l1')), ...facts).when(useLink, use('l1', 3000))
    expect(decision).toEqual({ facts: [], refused: { status: 409, message } })
  })

  test('is refused from the moment it runs out', () => {
    const world = given(...twoCompanies, issued(link('l1')))
    expect(world.when(useLink, use('l1', HOUR - 1)).refused).toBeUndefined()
    expect(world.when(useLink, use('l1', HOUR)).refused?.message).toBe(LINK_EXPIRED)
  })

  test("is refused for another's link, and for none", () => {
    const world = given(...twoCompanies, issued(link('l1')))
    for (const command of [use('l1', 2000, 'u2'), use('nothing')])
      expect(world.when(useLink, command).refused).toEqual({ status: 404, message: LINK_UNKNOWN })
  })
})

describe('setting a password by code', () => {
  const world = [...twoCompanies, password, session, issued(link('l1'))]

  test('does what the link does', () => {
    const decision = given(...world).when(confirmByCode, confirm('l1', 'code-l1'))
    expect(decision.refused).toBeUndefined()
    expect(inShort(decision)).toEqual(['user.password-set', 'link.used l1', 'session.ended'])
  })

  test.each([
    ['a wrong code', confirm('l1', 'guess'), 'link.code-refused'],
    ['no link', confirm(null, 'guess'), 'user.refused'],
    ['a link that ran out', confirm('l1', 'code-l1', HOUR), 'user.refused'],
    ['nobody of that name', confirm(null, 'guess', 2000, null), 'user.refused'],
  ])('with %s is refused in the same words, with one fact', (_, command, type) => {
    const decision = given(...world).when(confirmByCode, command)
    expect(decision.refused).toEqual({ status: 400, message: WRONG_CODE })
    expect(decision.facts.map((fact) => fact.type)).toEqual([type])
  })

  test('is over after five wrong ones, while the link beside it stays good', () => {
    const facts = [...world]
    for (let n = 0; n < CODE_TRIES; n++)
      facts.push(...given(...facts).when(confirmByCode, confirm('l1', 'guess')).facts)
    expect(given(...facts).when(confirmByCode, confirm('l1', 'code-l1')).refused?.message).toBe(WRONG_CODE)
    expect(given(...facts.slice(0, -1)).when(confirmByCode, confirm('l1', 'code-l1')).refused).toBeUndefined()
    expect(given(...facts).when(useLink, use('l1')).refused).toBeUndefined()
  })

  test('is over for the day after twenty wrong ones, however many links were sent', () => {
    const facts = [...world]
    for (let n = 0; n < CODES_A_DAY; n++) {
      if (n % CODE_TRIES === 0) facts.push(issued(link(`m${n}`, 'password', 90 * HOUR)))
      const current = `m${n - (n % CODE_TRIES)}`
      facts.push(...given(...facts).when(confirmByCode, confirm(current, 'guess')).facts)
    }
    facts.push(issued(link('last', 'password', 90 * HOUR)))
    const right = (at: number) => given(...facts).when(confirmByCode, confirm('last', 'code-last', at))
    expect(right(3000).refused?.message).toBe(WRONG_CODE)
    expect(right(2000 + 24 * HOUR).refused).toBeUndefined()
  })
})

describe('an activation link that a colleague has sent anew', () => {
  const sent = (i: number, at: number): NewFact => ({ ...issued(link(`l${i}`, 'activation')), at })
  const another = (at: number, ...before: number[]) =>
    given(...twoCompanies, ...before.map((when, i) => sent(i, when))).when(
      issueLink,
      issue(link('next', 'activation'), 'u1', at),
    ).refused

  test('leaves at once after the invitation, then every five minutes', () => {
    expect(another(1_000, 0)).toBeUndefined()
    expect(another(RESEND_AFTER_MS - 1, 0, 0)).toEqual({
      status: 429,
      message: 'A link was sent already: another one can be sent in 1 min',
    })
    expect(another(RESEND_AFTER_MS, 0, 0)).toBeUndefined()
  })

  test('leaves five times a day', () => {
    const times = [0, 1, 2, 3, 4, 5].map((i) => i * HOUR)
    expect(another(6 * HOUR, ...times.slice(0, RESENDS_A_DAY))).toBeUndefined()
    expect(another(6 * HOUR, ...times)?.message).toContain('in 19 h')
    expect(another(25 * HOUR, ...times)).toBeUndefined()
  })
})

describe('an activation link that has run out', () => {
  test('is sent anew to whoever holds it', () => {
    const decision = given(...twoCompanies, issued(link('l1', 'activation'))).when(
      resendLink,
      resend('l1', link('l2', 'activation', 9 * HOUR), 2 * HOUR),
    )
    expect(decision.refused).toBeUndefined()
    expect(inShort(decision)).toEqual(['link.expired l1', 'link.issued l2'])
  })

  test('is sent anew as often as by a colleague, and no more', () => {
    const sent = (i: number, at: number): NewFact => ({ ...issued(link(`l${i}`, 'activation')), at })
    const again = (at: number, ...before: number[]) =>
      given(...twoCompanies, ...before.map((when, i) => sent(i, when))).when(
        resendLink,
        resend('l0', link('next', 'activation', 30 * HOUR), at),
      ).refused
    const start = 2 * HOUR
    expect(again(start + RESEND_AFTER_MS - 1, 0, start)).toMatchObject({ status: 429 })
    expect(again(start + RESEND_AFTER_MS, 0, start)).toBeUndefined()
    const times = [0, 1, 2, 3, 4, 5].map((i) => i * HOUR)
    expect(again(6 * HOUR, ...times.slice(0, RESENDS_A_DAY))).toBeUndefined()
    expect(again(6 * HOUR, ...times)?.status).toBe(429)
  })

  test.each([
    ['still works', [issued(link('l1', 'activation'))], 409, LINK_WORKS],
    ['was used', [issued(link('l1', 'activation')), password], 409, LINK_USED],
    ['is for a password', [issued(link('l1'))], 404, LINK_UNKNOWN],
    ['never was', [], 404, LINK_UNKNOWN],
  ] as [string, NewFact[], number, string][])(
    'is the only one: one that %s is refused',
    (_, facts, status, message) => {
      const at = message === LINK_WORKS ? 2000 : 2 * HOUR
      const decision = given(...twoCompanies, ...facts).when(
        resendLink,
        resend('l1', link('l2', 'activation'), at),
      )
      expect(decision).toEqual({ facts: [], refused: { status, message } })
    },
  )
})

test('ending a link that has ended changes nothing, and one that never was is not found', () => {
  const world = given(
    ...twoCompanies,
    issued(link('l1')),
    ...given(...twoCompanies, issued(link('l1'))).when(expireLink, expire('l1')).facts,
  )
  expect(world.when(expireLink, expire('l1'))).toEqual({ facts: [] })
  expect(world.when(expireLink, expire('other')).refused?.status).toBe(404)
})

describe('after a forced reset', () => {
  const origin = { at: 3, companyId: 'indus' }
  const required: NewFact = { ...origin, type: 'user.reset-required', data: { userId: 'u1' } }
  const begun = (resetId: string): NewFact => ({
    ...origin,
    type: 'user.reset-begun',
    data: { userId: 'u1', resetId },
  })
  const command = (resetId: string) => ({
    type: 'user.set-password' as const,
    ...{ at: 5, by: 'u1', data: { userId: 'u1', resetId, hash: 'x' } },
  })
  const before = [...twoCompanies, password, required]
  const refused = { facts: [], refused: { status: 401 } }

  test('the password is set once', () => {
    const world = given(...before, begun('r1'), issued(link('l1')))
    const first = world.when(setPassword, command('r1'))
    expect(inShort(first)).toEqual(['user.password-set', 'link.expired l1'])
    world.store(first)
    expect(world.when(setPassword, command('r1'))).toMatchObject(refused)
    // demanded once more, the token of then is good for nothing
    world.store({ facts: [required] })
    expect(world.when(setPassword, command('r1'))).toMatchObject(refused)
  })

  test('it is set by the token of the last sign-in alone', () => {
    const world = given(...before, begun('r1'), begun('r2'))
    expect(world.when(setPassword, command('r1'))).toMatchObject(refused)
    expect(inShort(world.when(setPassword, command('r2')))).toEqual(['user.password-set'])
  })
})

describe('in whatever order links are issued, used, ended, sent anew, and time passes', () => {
  type Step = {
    do: 'issue' | 'use' | 'expire' | 'resend' | 'confirm'
    purpose: Purpose
    which: number
    wait: number
  }
  const steps = fc.array(
    fc.record<Step>({
      do: fc.constantFrom('issue', 'issue', 'use', 'expire', 'resend', 'confirm'),
      purpose: fc.constantFrom('activation', 'password'),
      which: fc.nat(9),
      wait: fc.integer({ min: 1, max: HOUR }),
    }),
    { maxLength: 40 },
  )

  function run(all: Step[], look: (directory: Directory, at: number, decision: Decision) => void) {
    const directory = emptyDirectory()
    let seq = 0
    const fold = (fact: NewFact) =>
      evolve(directory, { ...fact, seq: ++seq, id: `f${seq}`, v: 1, recordedAt: fact.at } as never)
    twoCompanies.forEach(fold)
    let at = 1000
    let made = 0
    for (const step of all) {
      at += step.wait
      const theirs = linksOf(directory.links, 'u1')
      const linkId = theirs[step.which % Math.max(1, theirs.length)]?.linkId ?? 'none'
      const fresh = () => link(`l${++made}`, step.purpose, at + HOUR)
      const decision = {
        issue: () => issueLink(directory, issue(fresh(), 'u1', at)),
        use: () => useLink(directory, use(linkId, at)),
        expire: () => expireLink(directory, { ...expire(linkId), at }),
        resend: () => resendLink(directory, resend(linkId, { ...fresh(), purpose: 'activation' }, at)),
        confirm: () => confirmByCode(directory, confirm(linkId, `code-${linkId}`, at)),
      }[step.do]()
      decision.facts.forEach(fold)
      look(directory, at, decision)
    }
  }

  test('at most one of a purpose works, and none for activation once there is a password', () => {
    fc.assert(
      fc.property(steps, (all) => {
        run(all, (directory, at) => {
          const works = linksOf(directory.links, 'u1').filter(
            (each) => linkValidity(directory, each, at) === 1,
          )
          for (const purpose of ['activation', 'password'])
            expect(works.filter((each) => each.purpose === purpose).length).toBeLessThanOrEqual(1)
          if (directory.users.get('u1')?.passwordHash != null)
            expect(works.some(({ purpose }) => purpose === 'activation')).toBe(false)
        })
      }),
    )
  })

  test('each sets a password at most once, and what was used stays so', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const used = new Set<string>()
        run(all, (directory, at, { facts }) => {
          if (facts.some(({ type }) => type === 'user.password-set'))
            for (const fact of facts)
              if (fact.type === 'link.used') {
                expect(used.has(fact.data.linkId)).toBe(false)
                used.add(fact.data.linkId)
              }
          for (const each of linksOf(directory.links, 'u1'))
            if (used.has(each.linkId)) expect(validityOf(each, at)).toBe(-1)
        })
      }),
    )
  })
})
