import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { type Decided, given } from '../testing/given.ts'
import { changeSuspension } from './companies.ts'
import { requireReset, setPassword } from './passwords.ts'
import {
  closeSession,
  openSession,
  PASSWORD_CHANGED,
  refreshSession,
  SESSION_OVER,
  signOutUser,
  WRONG_LOGIN,
} from './sessions.ts'

const HOUR = 3_600_000
const signIn = (verified: 'right' | 'wrong', userId: string | null = 'u1') => ({
  type: 'session.open' as const,
  at: 1000,
  by: null,
  data: {
    ...{ userId, login: 'ayesha', verified, comparedHash: null as string | null },
    ...{ sessionId: 's1', refreshHash: 'h1', expiresAt: HOUR },
  },
})
const refresh = (spentHash: string, refreshHash: string | null, at = 2000) => ({
  type: 'session.refresh' as const,
  at,
  by: 'u1',
  data: { userId: 'u1', sessionId: 's1', spentHash, refreshHash, expiresAt: at + 2 * HOUR },
})
const signedIn = given(...twoCompanies).when(openSession, signIn('right')).facts

const inShort = ({ facts }: Decided) => facts.map(({ type, data }) => [type, data])

describe('signing in', () => {
  test('with the right password opens a session', () => {
    const decision = given(...twoCompanies).when(openSession, signIn('right'))
    expect(inShort(decision)).toEqual([
      ['user.signed-in', { userId: 'u1', sessionId: 's1', refreshHash: 'h1', expiresAt: HOUR }],
    ])
    expect(decision.refused).toBeUndefined()
  })

  test.each([
    ['a wrong password', signIn('wrong')],
    ['a name nobody has', signIn('wrong', null)],
  ])('with %s is refused with the same words, and told', (_, command) => {
    const decision = given(...twoCompanies).when(openSession, command)
    expect(decision.refused).toEqual({ status: 401, message: WRONG_LOGIN })
    expect(inShort(decision)).toEqual([['user.refused', { userName: 'ayesha', reason: 'password' }]])
  })

  test.each(['right', 'wrong'] as const)(
    'with what was %s for the password of before is left open',
    (verified) => {
      const changed = given(...twoCompanies, {
        ...{ type: 'user.password-set', at: 1, companyId: 'indus' },
        data: { userId: 'u1', hash: 'new' },
      })
      const command = signIn(verified)
      expect(changed.when(openSession, command)).toEqual({ facts: [], refused: PASSWORD_CHANGED })
      const again = { ...command, data: { ...command.data, comparedHash: 'new' } }
      expect(changed.when(openSession, again).facts).toHaveLength(1)
    },
  )

  test('for the thousand-and-first time ends the oldest session', () => {
    const opened = Array.from(
      { length: 1000 },
      (_, n): NewFact => ({
        type: 'user.signed-in',
        at: 1,
        companyId: 'indus',
        data: { userId: 'u1', sessionId: `old-${n}`, refreshHash: 'h', expiresAt: HOUR },
      }),
    )
    expect(inShort(given(...twoCompanies, ...opened).when(openSession, signIn('right')))).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 'old-0', reason: 'remote' }],
      ['user.signed-in', { userId: 'u1', sessionId: 's1', refreshHash: 'h1', expiresAt: HOUR }],
    ])
    expect(given(...twoCompanies, ...opened.slice(1)).when(openSession, signIn('right')).facts).toHaveLength(
      1,
    )
  })

  test('into a suspended company is refused with whom to call, after a right password alone', () => {
    const suspended = given(...twoCompanies, {
      type: 'company.suspended',
      at: 1,
      companyId: 'indus',
      data: { companyId: 'indus' },
    })
    expect(suspended.when(openSession, signIn('right')).refused).toMatchObject({
      status: 403,
      extra: { bam: { firstName: 'Bilal', phone: '0300' } },
    })
    expect(suspended.when(openSession, signIn('wrong')).refused).toEqual({
      status: 401,
      message: WRONG_LOGIN,
    })
  })

  test('by somebody who must set a new password first opens no session and refuses nothing', () => {
    const decision = given(...twoCompanies, {
      type: 'user.reset-required',
      at: 1,
      companyId: 'indus',
      data: { userId: 'u1' },
    }).when(openSession, signIn('right'))
    expect(decision.refused).toBeUndefined()
    expect(inShort(decision)).toEqual([['user.reset-begun', { userId: 'u1', resetId: 's1' }]])
  })
})

describe('refreshing', () => {
  test('without rotation keeps the token and prolongs the session', () => {
    const decision = given(...twoCompanies, ...signedIn).when(refreshSession, refresh('h1', null))
    expect(inShort(decision)).toEqual([
      ['session.refreshed', { userId: 'u1', sessionId: 's1', refreshHash: 'h1', expiresAt: 2000 + 2 * HOUR }],
    ])
  })

  const rotated = given(...twoCompanies, ...signedIn).when(refreshSession, refresh('h1', 'h2')).facts

  test('twice with the same token within an hour is the same exchange: the answer of the first may have been lost', () => {
    const after = given(...twoCompanies, ...signedIn, ...rotated)
    for (const at of [2000, 2000 + 31_000, 2000 + HOUR])
      expect(after.when(refreshSession, refresh('h1', 'h2', at))).toEqual({ facts: [] })
  })

  test('twice with the same token is a reuse after that, and once the successor was exchanged too', () => {
    const late = refresh('h1', 'h2', 2001 + HOUR)
    expect(inShort(given(...twoCompanies, ...signedIn, ...rotated).when(refreshSession, late))).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'reuse' }],
    ])
    const further = given(...twoCompanies, ...signedIn, ...rotated).when(
      refreshSession,
      refresh('h2', 'h3'),
    ).facts
    const behind = given(...twoCompanies, ...signedIn, ...rotated, ...further)
    expect(inShort(behind.when(refreshSession, refresh('h1', 'h2')))).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'reuse' }],
    ])
  })

  test('within the hour is refused like any other, once the company is suspended', () => {
    const suspend = { type: 'company.suspend' as const, at: 2100, by: null, data: { companyId: 'indus' } }
    const suspended = given(...twoCompanies).when(changeSuspension, suspend).facts
    const decision = given(...twoCompanies, ...signedIn, ...rotated, ...suspended).when(
      refreshSession,
      refresh('h1', 'h2', 2200),
    )
    expect(decision).toMatchObject({ facts: [], refused: { status: 403 } })
  })

  test('with rotation spends the token: presented for another one, it ends the session for whoever holds the next', () => {
    const after = given(...twoCompanies, ...signedIn, ...rotated)
    const reuse = after.when(refreshSession, refresh('h1', 'h3'))
    expect(reuse.refused).toEqual({ status: 401, message: SESSION_OVER })
    expect(inShort(reuse)).toEqual([['session.ended', { userId: 'u1', sessionId: 's1', reason: 'reuse' }]])
    const holder = given(...twoCompanies, ...signedIn, ...rotated, ...reuse.facts).when(
      refreshSession,
      refresh('h2', 'h4'),
    )
    expect(holder).toEqual({ facts: [], refused: { status: 401, message: SESSION_OVER } })
  })

  test('with a secret that never was any ends nothing', () => {
    const decision = given(...twoCompanies, ...signedIn).when(refreshSession, refresh('guessed', 'h2'))
    expect(decision).toEqual({ facts: [], refused: { status: 401, message: SESSION_OVER } })
  })

  test('after the session ran out ends it', () => {
    const decision = given(...twoCompanies, ...signedIn).when(refreshSession, refresh('h1', null, HOUR))
    expect(inShort(decision)).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'expired' }],
    ])
    expect(decision.refused?.status).toBe(401)
  })

  test('in a suspended company is refused with whom to call', () => {
    // another node let them in while it was suspended here
    const suspended = {
      type: 'company.suspended' as const,
      at: 1500,
      companyId: 'indus',
      data: { companyId: 'indus' },
    }
    const decision = given(...twoCompanies, ...signedIn, suspended).when(refreshSession, refresh('h1', null))
    expect(decision.refused).toMatchObject({ status: 403, extra: { bam: { email: 'bilal@indus.example' } } })
  })
})

describe('signing out', () => {
  const close = {
    type: 'session.close' as const,
    at: 3000,
    by: 'u1',
    data: { userId: 'u1', sessionId: 's1' },
  }

  test('ends the session, and twice is once', () => {
    const once = given(...twoCompanies, ...signedIn).when(closeSession, close)
    expect(inShort(once)).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'signed-out' }],
    ])
    expect(given(...twoCompanies, ...signedIn, ...once.facts).when(closeSession, close)).toEqual({
      facts: [],
    })
  })

  test('from elsewhere ends all sessions', () => {
    const second = given(...twoCompanies).when(openSession, {
      ...signIn('right'),
      data: { ...signIn('right').data, sessionId: 's2' },
    }).facts
    const decision = given(...twoCompanies, ...signedIn, ...second).when(signOutUser, {
      type: 'user.sign-out',
      at: 3000,
      by: null,
      data: { userId: 'u1' },
    })
    expect(inShort(decision)).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'remote' }],
      ['session.ended', { userId: 'u1', sessionId: 's2', reason: 'remote' }],
    ])
  })

  test.each([
    [
      'a forced reset',
      requireReset,
      { type: 'user.require-reset' as const, at: 5, by: null, data: { userId: 'u1' } },
      'user.reset-required',
    ],
    [
      'a new password',
      setPassword,
      {
        type: 'user.set-password' as const,
        at: 5,
        by: 'u1',
        data: { userId: 'u1', resetId: 'r1', hash: 'x' },
      },
      'user.password-set',
    ],
  ] as const)('comes with %s', (_, decide, command, fact) => {
    const before: NewFact[] =
      fact === 'user.password-set'
        ? [
            { type: 'user.reset-required', at: 3, companyId: 'indus', data: { userId: 'u1' } },
            { type: 'user.reset-begun', at: 4, companyId: 'indus', data: { userId: 'u1', resetId: 'r1' } },
          ]
        : []
    const decision = given(...twoCompanies, ...signedIn, ...before).when(
      decide as typeof setPassword,
      command as never,
    )
    expect(decision.facts.map(({ type }) => type)).toEqual([fact, 'session.ended'])
  })
})

describe('suspending', () => {
  const suspend = { type: 'company.suspend' as const, at: 1, by: null, data: { companyId: 'indus' } }
  const resume = { ...suspend, type: 'company.resume' as const }

  test('is told once, and undone once', () => {
    const first = given(...twoCompanies).when(changeSuspension, suspend)
    expect(first.facts.map(({ type }) => type)).toEqual(['company.suspended'])
    const then = given(...twoCompanies, ...first.facts)
    expect(then.when(changeSuspension, suspend).facts).toEqual([])
    expect(then.when(changeSuspension, resume).facts.map(({ type }) => type)).toEqual(['company.resumed'])
  })

  test('ends the sessions of its people and of super admins inside it, and no others; resuming what came since', () => {
    const handedOff: NewFact = {
      type: 'session.handed-off',
      at: 1,
      companyId: 'indus',
      data: {
        userId: 'u3',
        sessionId: 'inside',
        companyId: 'indus',
        groupId: 'indus',
        refreshHash: 'h',
        expiresAt: 9e12,
      },
    }
    const elsewhere: NewFact = {
      type: 'user.signed-in',
      at: 1,
      companyId: 'karakoram',
      data: { userId: 'u3', sessionId: 'elsewhere', refreshHash: 'h', expiresAt: 9e12 },
    }
    const before = [...twoCompanies, ...signedIn, handedOff, elsewhere]
    const { facts } = given(...before).when(changeSuspension, suspend)
    expect(facts[0]?.type).toBe('company.suspended')
    const ended = facts.slice(1).map(({ type, data }) => [type, data])
    expect(ended).toEqual([
      ['session.ended', { userId: 'u1', sessionId: 's1', reason: 'suspended' }],
      ['session.ended', { userId: 'u3', sessionId: 'inside', reason: 'suspended' }],
    ])
    const late = { ...handedOff, data: { ...handedOff.data, sessionId: 'late' } } as NewFact
    expect(given(...before, ...facts, late).when(changeSuspension, resume).facts).toMatchObject([
      { type: 'company.resumed' },
      { type: 'session.ended', data: { sessionId: 'late', reason: 'suspended' } },
    ])
  })

  test('what is not there cannot be suspended', () => {
    expect(
      given(...twoCompanies).when(changeSuspension, { ...suspend, data: { companyId: 'nowhere' } }).refused
        ?.status,
    ).toBe(404)
  })
})
