import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { handOff } from './handoff.ts'
import { refreshSession, SESSION_OVER } from './sessions.ts'

const HOUR = 3_600_000
const admin = twoCompanies.map((fact) =>
  fact.type === 'user.created' && fact.data.userId === 'u3'
    ? { ...fact, data: { ...fact.data, superAdmin: true } }
    : fact,
)
const enter = (companyId: string, userId = 'u3') => ({
  type: 'session.hand-off' as const,
  at: 1000,
  by: userId,
  data: { userId, companyId, sessionId: 's1', refreshHash: 'h1', expiresAt: HOUR },
})
const suspended = (companyId: string): NewFact => ({
  type: 'company.suspended',
  at: 1500,
  companyId,
  data: { companyId },
})

describe('a super admin', () => {
  test('enters a company as its top group, told in its history with who it was', () => {
    expect(given(...admin).when(handOff, enter('indus'))).toEqual({
      facts: [
        {
          type: 'session.handed-off',
          at: 1000,
          companyId: 'indus',
          by: 'u3',
          data: {
            userId: 'u3',
            sessionId: 's1',
            companyId: 'indus',
            groupId: 'indus',
            refreshHash: 'h1',
            expiresAt: HOUR,
          },
        },
      ],
    })
  })

  test.each([
    ['anybody else', twoCompanies, enter('indus', 'u3')],
    ['a company there is not', admin, enter('nowhere')],
    ['nobody', admin, enter('indus', 'u99')],
  ] as const)('is the only one: %s finds nothing', (_, facts, command) => {
    expect(given(...facts).when(handOff, command)).toEqual({
      facts: [],
      refused: { status: 404, message: 'Not found' },
    })
  })

  test('does not enter a suspended company, and is out of one that becomes it', () => {
    expect(given(...admin, suspended('indus')).when(handOff, enter('indus')).refused?.status).toBe(403)
    const inside = given(...admin).when(handOff, enter('indus')).facts
    const refresh = {
      type: 'session.refresh' as const,
      at: 2000,
      by: 'u3',
      data: { userId: 'u3', sessionId: 's1', spentHash: 'h1', refreshHash: null, expiresAt: HOUR },
    }
    expect(given(...admin, ...inside).when(refreshSession, refresh).refused).toBeUndefined()
    for (const companyId of ['indus', 'karakoram']) {
      const decision = given(...admin, ...inside, suspended(companyId)).when(refreshSession, refresh)
      expect(decision.refused).toMatchObject({
        status: 403,
        extra: { bam: { email: `bilal@${companyId}.example` } },
      })
    }
    const wrong = { ...refresh, data: { ...refresh.data, spentHash: 'other' } }
    expect(given(...admin, ...inside).when(refreshSession, wrong).refused?.message).toBe(SESSION_OVER)
  })
})
