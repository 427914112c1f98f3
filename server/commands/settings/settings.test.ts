import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandData, CommandOf } from '#machines/contracts/commands.ts'
import { CHANGED_MEANWHILE } from '#machines/contracts/entities/changes.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { userSettings } from '#machines/projections/settings.ts'
import { drivingScoreVersion, userVersion } from '#machines/projections/versions.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { NOT_YOURS, setDrivingScore, setFatigueThreshold } from './group-settings.ts'
import { setAlerts, setNotifications } from './user-settings.ts'

const NOTHING: Decision = { facts: [] }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const STALE = { facts: [], refused: { status: 412, message: CHANGED_MEANWHILE } }
const origin = { at: 9, companyId: 'indus', by: 'u1' }
const AT_FIRST = userSettings(given(...twoCompanies).directory.settings, 'u2')

describe('how long somebody of a group may drive', () => {
  const when = (data: CommandData<'group.set-fatigue-threshold'>, scope = 'punjab', facts: NewFact[] = []) =>
    given(...twoCompanies, ...facts).when(
      (directory, it: CommandOf<'group.set-fatigue-threshold'>) => setFatigueThreshold(directory, it, scope),
      { type: 'group.set-fatigue-threshold', at: 9, by: 'u1', data },
    )

  test('what is not given stays as it is', () => {
    const { facts } = when({ groupId: 'lahore', enabled: true })
    const data = { groupId: 'lahore', enabled: true, drivingMinutes: 270, restMinutes: 45 }
    expect(facts).toEqual([{ ...origin, type: 'group.fatigue-threshold-set', data }])
    expect(when({ groupId: 'lahore', restMinutes: 60 }, 'punjab', facts).facts[0]?.data).toEqual({
      ...data,
      restMinutes: 60,
    })
  })

  test('what is as it was makes no fact', () => {
    expect(when({ groupId: 'lahore', enabled: false, drivingMinutes: 270 })).toEqual(NOTHING)
  })

  test.each([0, 24 * 60 + 1])('%d minutes are refused, each field by itself', (minutes) => {
    const { facts, refused } = when({ groupId: 'lahore', drivingMinutes: minutes, restMinutes: minutes })
    const message = 'Must be between 1 and 1440 minutes'
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, message })
    expect(refused?.extra?.errors).toEqual([
      { path: 'drivingMinutes', message },
      { path: 'restMinutes', message },
    ])
  })

  test.each(['sindh', 'indus', 'karakoram', 'nowhere'])(
    'the group %s is not found from punjab',
    (groupId) => {
      expect(when({ groupId, enabled: true })).toEqual(NOT_FOUND)
    },
  )
})

describe('which driving events count', () => {
  const setting = { harshAcceleration: true, harshBrake: true, overSpeeding: false, sharpTurn: true }
  const when = (
    changes: Partial<CommandData<'company.set-driving-score'>> = {},
    scope = 'indus',
    past = given(...twoCompanies),
  ) =>
    past.when(
      (directory, it: CommandOf<'company.set-driving-score'>) => setDrivingScore(directory, it, scope),
      {
        type: 'company.set-driving-score',
        at: 9,
        by: 'u1',
        data: { companyId: 'indus', ifVersion: null, ...setting, ...changes },
      },
    )

  test('is set for the company, without the version it was seen at', () => {
    expect(when({ ifVersion: '0' })).toEqual({
      facts: [{ ...origin, type: 'company.driving-score-set', data: { companyId: 'indus', ...setting } }],
    })
  })

  test('is as it was: no fact', () => {
    expect(when({ overSpeeding: true })).toEqual(NOTHING)
  })

  test('may be said by the top group alone, and of the own company alone', () => {
    expect(when({}, 'punjab')).toEqual({ facts: [], refused: { status: 403, message: NOT_YOURS } })
    expect(when({ companyId: 'karakoram' })).toEqual(NOT_FOUND)
    expect(when({}, 'nowhere')).toEqual(NOT_FOUND)
  })

  test('is refused where somebody else has changed it since', () => {
    const past = given(...twoCompanies)
    const seen = drivingScoreVersion(past.directory, 'indus')
    past.store(when({}, 'indus', past))
    expect(when({ sharpTurn: false, ifVersion: seen }, 'indus', past)).toEqual(STALE)
    const ifVersion = drivingScoreVersion(past.directory, 'indus')
    expect(when({ sharpTurn: false, ifVersion }, 'indus', past).facts).toHaveLength(1)
  })
})

/** Both screens of a user's settings go by the same rules. */
describe.each([
  {
    what: 'what a user is notified of',
    set: (directory, { by, ...data }, scope) =>
      setNotifications(
        directory,
        {
          type: 'user.set-notifications',
          at: 9,
          by,
          data: { ...data, settings: { ...AT_FIRST.notifications, buzzer: data.isOn } },
        },
        scope,
      ),
    fact: {
      type: 'user.notification-settings-set',
      data: { userId: 'u2', settings: { ...AT_FIRST.notifications, buzzer: false } },
    },
  },
  {
    what: 'which violations reach a user by SMS and e-mail',
    set: (directory, { by, ...data }, scope) =>
      setAlerts(
        directory,
        {
          type: 'user.set-alerts',
          at: 9,
          by,
          data: {
            ...data,
            sms: AT_FIRST.sms,
            email: { ...AT_FIRST.email, LOW_HUMIDITY_DETECTED: data.isOn },
          },
        },
        scope,
      ),
    fact: {
      type: 'user.alerts-set',
      data: { userId: 'u2', sms: AT_FIRST.sms, email: { ...AT_FIRST.email, LOW_HUMIDITY_DETECTED: false } },
    },
  },
] satisfies { what: string; set: SetOne; fact: object }[])('$what', ({ set, fact }) => {
  const when = (requested: Partial<Requested> = {}, scope = 'indus', past = given(...twoCompanies)) =>
    past.when((directory, it: Requested) => set(directory, it, scope), {
      by: 'u1',
      userId: 'u2',
      isOn: false,
      ifVersion: null,
      ...requested,
    })

  test('is set as a whole', () => {
    expect(when()).toEqual({ facts: [{ ...origin, ...fact }] })
  })

  test('is as it was: no fact', () => {
    expect(when({ isOn: true })).toEqual(NOTHING)
  })

  test('is set by users above, and by everybody for themselves', () => {
    expect(when({}, 'lahore')).toEqual(NOT_FOUND)
    expect(when({ by: 'u2' }, 'lahore').facts).toHaveLength(1)
    expect(when({ userId: 'u3' })).toEqual(NOT_FOUND)
    expect(when({ userId: 'u99' })).toEqual(NOT_FOUND)
  })

  test('is refused where settings were changed since, not where names were', () => {
    const past = given(...twoCompanies)
    const user = past.directory.users.get('u2')
    if (user === undefined) throw new Error('there is no u2')
    const ifVersion = userVersion(past.directory, user)
    past.store({ facts: [{ ...origin, type: 'user.updated', data: { userId: 'u2', firstName: 'Dani' } }] })
    expect(when({ ifVersion }, 'indus', past).facts).toHaveLength(1)
    past.store(when({ ifVersion }, 'indus', past))
    expect(when({ isOn: true, ifVersion }, 'indus', past)).toEqual(STALE)
  })
})

type Requested = { by: string; userId: string; isOn: boolean; ifVersion: string | null }
type SetOne = (
  directory: ReturnType<typeof given>['directory'],
  requested: Requested,
  scope: string,
) => Decision

test('whatever is switched, the same a second time makes no fact, and the other settings stay', () => {
  const switches = fc.record({
    LOW_TEMPERATURE_DETECTED: fc.boolean(),
    LOW_HUMIDITY_DETECTED: fc.boolean(),
    HIGH_TEMPERATURE_DETECTED: fc.boolean(),
    HIGH_HUMIDITY_DETECTED: fc.boolean(),
  })
  fc.assert(
    fc.property(switches, switches, (sms, email) => {
      const past = given(...twoCompanies)
      const when = () =>
        past.when((directory, it: CommandOf<'user.set-alerts'>) => setAlerts(directory, it, 'indus'), {
          type: 'user.set-alerts',
          at: 9,
          by: 'u1',
          data: { userId: 'u2', sms, email, ifVersion: null },
        })
      past.store(when())
      expect(userSettings(past.directory.settings, 'u2')).toMatchObject({
        sms,
        email,
        notifications: AT_FIRST.notifications,
      })
      expect(when()).toEqual(NOTHING)
    }),
  )
})

test('a window of before that does not know of budgets leaves their switch as it is', () => {
  const past = given(...twoCompanies)
  const when = (sms: CommandOf<'user.set-alerts'>['data']['sms']) =>
    past.store(
      past.when((directory, it: CommandOf<'user.set-alerts'>) => setAlerts(directory, it, 'indus'), {
        type: 'user.set-alerts',
        at: 9,
        by: 'u1',
        data: { userId: 'u2', sms, email: AT_FIRST.email, ifVersion: null },
      }),
    )
  const { BUDGET_EXHAUSTED: _, ...known } = AT_FIRST.sms
  when({ ...known, BUDGET_EXHAUSTED: false })
  when({ ...known, LOW_HUMIDITY_DETECTED: false })
  expect(userSettings(past.directory.settings, 'u2').sms).toEqual({
    ...known,
    LOW_HUMIDITY_DETECTED: false,
    BUDGET_EXHAUSTED: false,
  })
})
