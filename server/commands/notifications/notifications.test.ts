import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CommandOf } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { seenBy } from '#machines/projections/attention.ts'
import { sensorUnplugged, statusChanged, violationFound, violationOpened } from '../../testing/facts.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { acknowledge, NO_VIOLATION } from './acknowledge.ts'
import { checkPassenger } from './check-passenger.ts'
import { commentOn, EMPTY_COMMENT, MOST_COMMENTS, NO_MORE_COMMENTS } from './comment.ts'
import { markRead } from './mark-read.ts'
import { endShelving, NO_REASON, shelve, TOO_LONG, unshelve } from './shelve.ts'
import { NOT_OPEN, release, take } from './take.ts'

/** a vehicle in `lahore`, a warehouse in `sindh`, and a vehicle of another company */
const LAHORE = '350000000000002'
const SINDH = '350000000000003'
const KARAKORAM = '350000000000004'
const NOTHING: Decision = { facts: [] }
const NOT_FOUND = { facts: [], refused: { status: 404, message: 'Not found' } }
const origin = { at: 9, companyId: 'indus', by: 'u2' }

/** what nobody at `punjab` may know of: notifications of others, facts that are none, and no fact at all */
const OUT_OF_SCOPE: [string, NewFact | undefined][] = [
  ['of a sister group', violationOpened(SINDH, 5, {}, 'indus')],
  ['of another company', violationOpened(KARAKORAM, 5, {}, 'karakoram')],
  ['that is none', statusChanged(LAHORE, 5, 'offline', 'online', 'indus')],
  ['of a lost device of a sister group', statusChanged(SINDH, 5, 'online', 'offline', 'indus')],
  ['that there is not', undefined],
]

describe('acknowledging a violation', () => {
  const command = (comment = ' On my way ', by = 'u2'): CommandOf<'violation.acknowledge'> => ({
    type: 'violation.acknowledge',
    at: 9,
    by,
    data: { notificationId: 'f17', comment },
  })
  const when = (facts: NewFact[], requested = command(), isStored = true) => {
    const past = given(...twoCompanies, ...facts)
    const fact = isStored ? past.stored[twoCompanies.length] : undefined
    return past.when(
      (directory, it: CommandOf<'violation.acknowledge'>) =>
        acknowledge(directory, it, fact, past.attention, 'punjab'),
      requested,
    )
  }

  test.each([
    ['one that lasts', violationOpened(LAHORE, 5, {}, 'indus')],
    ['one of before the record began', violationFound(LAHORE, 5, {}, 'indus')],
  ])('%s is taken care of by the first who says so', (_, violation) => {
    expect(when([violation])).toEqual({
      facts: [
        {
          ...origin,
          type: 'violation.acknowledged',
          data: {
            violationId: `${LAHORE}-5`,
            notificationId: 'f17',
            imei: LAHORE,
            type: 'HIGH_TEMPERATURE_DETECTED',
            userName: 'danish Malik',
            comment: 'On my way',
          },
        },
      ],
    })
  })

  test('the second who says so gets the name of the first', () => {
    const violation = violationOpened(LAHORE, 5, {}, 'indus')
    const { refused } = when([violation, ...when([violation]).facts], command('Me too', 'u1'))
    expect(refused).toMatchObject({ status: 409, message: 'Already acknowledged by danish Malik' })
    expect(refused?.extra).toMatchObject({
      acknowledged: { userName: 'danish Malik', comment: 'On my way' },
    })
  })

  test('a lost device is taken care of like a violation', () => {
    const { facts } = when([statusChanged(LAHORE, 5, 'online', 'offline', 'indus')])
    const violationId = `lost-f${twoCompanies.length + 1}`
    expect(facts).toMatchObject([
      { type: 'violation.acknowledged', data: { violationId, imei: LAHORE, type: 'offline' } },
    ])
  })

  test('anything but what people work on is refused', () => {
    expect(when([sensorUnplugged(LAHORE, 5, 'indus')])).toEqual({
      facts: [],
      refused: { status: 422, message: NO_VIOLATION },
    })
  })

  test.each(OUT_OF_SCOPE)('a notification %s is not found', (_, fact) => {
    expect(when(fact ? [fact] : [], command(), fact !== undefined)).toEqual(NOT_FOUND)
  })
})

describe('having a violation', () => {
  const opened = violationOpened(LAHORE, 5, {}, 'indus')
  const at = twoCompanies.length
  const data = {
    violationId: `${LAHORE}-5`,
    notificationId: `f${at + 1}`,
    imei: LAHORE,
    type: 'HIGH_TEMPERATURE_DETECTED',
    userName: 'danish Malik',
  } as const
  const taken: NewFact = { ...origin, type: 'violation.taken', data }
  const released: NewFact = { ...origin, type: 'violation.released', data }
  const others: NewFact = { ...taken, by: 'u1', data: { ...data, userName: 'ayesha Malik' } }
  const when = (what: 'take' | 'release', facts: (NewFact | undefined)[]) => {
    const past = given(...twoCompanies, ...facts.flatMap((fact) => fact ?? []))
    const fact = facts[0] && past.stored[at]
    const requested = { at: 9, by: 'u2', data: { notificationId: `f${at + 1}` } }
    const { incidents } = past.attention
    return what === 'take'
      ? take(past.directory, { ...requested, type: 'violation.take' }, fact, incidents, 'punjab')
      : release(past.directory, { ...requested, type: 'violation.release' }, fact, incidents, 'punjab')
  }

  test('begins with taking it, also from a colleague, and once', () => {
    expect(when('take', [opened])).toEqual({ facts: [taken] })
    expect(when('take', [opened, others])).toEqual({ facts: [taken] })
    expect(when('take', [opened, taken])).toEqual(NOTHING)
  })

  test('begins with acknowledging what nobody has', () => {
    const acknowledged: NewFact = { ...taken, type: 'violation.acknowledged', data: { ...data, comment: '' } }
    expect(when('take', [opened, acknowledged])).toEqual(NOTHING)
  })

  test('ends with giving up what is one’s own', () => {
    expect(when('release', [opened, taken])).toEqual({ facts: [released] })
    expect(when('release', [opened])).toEqual(NOTHING)
    expect(when('release', [opened, others]).refused).toMatchObject({
      status: 409,
      message: 'ayesha Malik has it',
    })
  })

  test.each([
    ['one of before the record began', violationFound(LAHORE, 5, {}, 'indus')],
    ['no violation', sensorUnplugged(LAHORE, 5, 'indus')],
  ])('is refused of %s', (_, fact) => {
    for (const what of ['take', 'release'] as const)
      expect(when(what, [fact]).refused).toMatchObject({ status: 422, message: NOT_OPEN })
  })

  test.each(OUT_OF_SCOPE)('a notification %s is not found', (_, fact) => {
    for (const what of ['take', 'release'] as const) expect(when(what, [fact])).toEqual(NOT_FOUND)
  })
})

describe('shelving a known alarm', () => {
  const kind = { imei: LAHORE, type: 'HIGH_TEMPERATURE_DETECTED' } as const
  const shelved: NewFact = {
    ...origin,
    type: 'violation.shelved',
    data: { ...kind, until: 9 + 60 * 60_000, reason: 'Defrost', userName: 'danish Malik' },
  }
  const opened = violationOpened(LAHORE, 5, {}, 'indus')
  const shelving = (fields: Partial<CommandOf<'violation.shelve'>['data']> = {}) =>
    given(...twoCompanies).when(
      (directory, it: CommandOf<'violation.shelve'>) => shelve(directory, it, 'punjab'),
      {
        type: 'violation.shelve',
        at: 9,
        by: 'u2',
        data: { ...kind, minutes: 60, reason: ' Defrost ', ...fields },
      },
    )
  const ending = (facts: NewFact[], imei = LAHORE) => {
    const past = given(...twoCompanies, ...facts)
    return past.when(
      (directory, it: CommandOf<'violation.unshelve'>) =>
        unshelve(directory, it, past.attention.incidents, 'punjab'),
      { type: 'violation.unshelve', at: 9, by: 'u2', data: { ...kind, imei } },
    )
  }

  test('silences one kind of a device for a time and a reason', () => {
    expect(shelving()).toEqual({ facts: [shelved] })
  })

  test.each([
    ['no reason', { reason: ' \n ' }, NO_REASON, 'reason'],
    ['no time', { minutes: 0 }, TOO_LONG, 'minutes'],
    ['more than a day', { minutes: 1441 }, TOO_LONG, 'minutes'],
  ])('with %s is refused at its field', (_, fields, message, path) => {
    expect(shelving(fields).refused).toMatchObject({ status: 422, message, extra: { path } })
  })

  test.each([
    ['of a sister group', SINDH],
    ['of another company', KARAKORAM],
    ['that nobody has', '359999999999999'],
  ])('a device %s is not found', (_, imei) => {
    expect(shelving({ imei })).toEqual(NOT_FOUND)
    expect(ending([], imei)).toEqual(NOT_FOUND)
  })

  test('ended early names what lasts, to be told once again', () => {
    const data = { ...kind, opened: twoCompanies.length + 1, userName: 'danish Malik' }
    expect(ending([opened, shelved])).toEqual({ facts: [{ ...origin, type: 'violation.unshelved', data }] })
    expect(ending([opened])).toEqual(NOTHING)
  })

  test('ends by itself at its time, not before, and not where it was shelved anew', () => {
    const past = given(...twoCompanies, shelved)
    const at = 9 + 60 * 60_000
    const end = (now: number) =>
      endShelving(
        past.directory,
        { type: 'violation.end-shelving', at: now, by: null, data: kind },
        past.attention.incidents,
      )
    expect(end(at - 1)).toEqual(NOTHING)
    expect(end(at)).toEqual({
      facts: [{ at, companyId: 'indus', type: 'violation.unshelved', data: { ...kind, opened: null } }],
    })
    past.store(end(at))
    expect(end(at)).toEqual(NOTHING)
  })
})

describe('commenting on a notification', () => {
  const when = (fact: NewFact | undefined, comment: string, before: NewFact[] = []) => {
    const past = given(...twoCompanies, ...(fact ? [fact] : []), ...before)
    const notified = fact && past.stored[twoCompanies.length]
    return past.when(
      (directory, it: CommandOf<'notification.comment'>) =>
        commentOn(directory, it, notified, past.attention, 'punjab'),
      {
        type: 'notification.comment',
        at: 9,
        by: 'u2',
        data: { notificationId: 'f17', commentId: 'c1', comment },
      },
    )
  }

  test('keeps the text without the spaces around it, and the name of who wrote it', () => {
    expect(when(sensorUnplugged(LAHORE, 5, 'indus'), ' Plugged in again ')).toEqual({
      facts: [
        {
          ...origin,
          type: 'notification.commented',
          data: {
            notificationId: 'f17',
            commentId: 'c1',
            imei: LAHORE,
            userName: 'danish Malik',
            comment: 'Plugged in again',
          },
        },
      ],
    })
  })

  test('a blank text is refused at its field', () => {
    const { facts, refused } = when(sensorUnplugged(LAHORE, 5, 'indus'), ' \n ')
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, message: EMPTY_COMMENT, extra: { path: 'comment' } })
  })

  test('there are so many on each, and no more', () => {
    const unplugged = sensorUnplugged(LAHORE, 5, 'indus')
    const written = (count: number): NewFact[] =>
      Array.from({ length: count }, (_, i) => ({
        ...origin,
        type: 'notification.commented',
        data: { notificationId: 'f17', commentId: `c${i}`, imei: LAHORE, userName: 'Ravi', comment: 'x' },
      }))
    expect(when(unplugged, 'one more', written(MOST_COMMENTS - 1)).facts).toHaveLength(1)
    expect(when(unplugged, 'one more', written(MOST_COMMENTS))).toEqual({
      facts: [],
      refused: { status: 409, message: NO_MORE_COMMENTS },
    })
  })

  test.each(OUT_OF_SCOPE)('a notification %s is not found', (_, fact) => {
    expect(when(fact, 'x')).toEqual(NOT_FOUND)
  })
})

describe('saying whether a person was in an unplugged vehicle', () => {
  const unplugged = statusChanged(LAHORE, 5, 'online', 'disconnected', 'indus')
  const when = (facts: NewFact[], isPassenger: boolean, imei = LAHORE) => {
    const past = given(...twoCompanies, ...facts)
    return past.when(
      (directory, it: CommandOf<'passenger.check'>) =>
        checkPassenger(directory, it, past.attention, 'punjab'),
      { type: 'passenger.check', at: 9, by: 'u2', data: { imei, isPassenger } },
    )
  }
  const answer = (seq: number, isPassenger: boolean): NewFact => ({
    ...origin,
    type: 'passenger.checked',
    data: { imei: LAHORE, notificationId: `f${seq}`, isPassenger },
  })
  const first = twoCompanies.length + 1

  test('answers the notification that asks', () => {
    expect(when([unplugged], true)).toEqual({ facts: [answer(first, true)] })
  })

  test('where nothing asks, nothing happened', () => {
    expect(when([], true)).toEqual(NOTHING)
  })

  test('the same answer once more changes nothing, another corrects it', () => {
    expect(when([unplugged, answer(first, true)], true)).toEqual(NOTHING)
    expect(when([unplugged, answer(first, true)], false)).toEqual({ facts: [answer(first, false)] })
  })

  test('unplugged again, the same answer is a new one', () => {
    const plugged = statusChanged(LAHORE, 6, 'disconnected', 'online', 'indus')
    const facts = [unplugged, answer(first, true), plugged, unplugged]
    expect(when(facts, true)).toEqual({ facts: [answer(first + 3, true)] })
  })

  test.each([
    ['of a sister group', SINDH],
    ['of another company', KARAKORAM],
    ['that nobody has', '359999999999999'],
  ])('a device %s is not found', (_, imei) => {
    expect(when([unplugged], true, imei)).toEqual(NOT_FOUND)
  })
})

describe('marking notifications read', () => {
  const command = (userId: string, upTo: number): CommandOf<'notifications.see'> => ({
    type: 'notifications.see',
    at: 9,
    by: userId,
    data: { userId, upTo },
  })
  const when = (past: ReturnType<typeof given>, userId: string, upTo: number, hasNews = true) =>
    past.when(
      (directory, it: CommandOf<'notifications.see'>) => markRead(directory, it, past.attention, hasNews),
      command(userId, upTo),
    )

  test('is a fact where there was something new', () => {
    expect(when(given(...twoCompanies), 'u2', 40)).toEqual({
      facts: [{ ...origin, type: 'notifications.seen', data: { userId: 'u2', upTo: 40 } }],
    })
  })

  test('is none where nothing was new', () => {
    expect(when(given(...twoCompanies), 'u2', 40, false)).toEqual(NOTHING)
  })

  test('of a user there is not is refused', () => {
    expect(when(given(...twoCompanies), 'u99', 40)).toEqual(NOT_FOUND)
  })

  test('in whatever order windows say it, the position only moves on, and ends at the furthest', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 200 }), { minLength: 1 }), (positions) => {
        const past = given(...twoCompanies)
        const written: number[] = []
        for (const upTo of positions) {
          const decision = when(past, 'u2', upTo)
          for (const { data } of decision.facts) if ('upTo' in data) written.push(data.upTo)
          past.store(decision)
        }
        expect(written).toEqual([...new Set(written)].sort((a, b) => a - b))
        expect(seenBy(past.attention, 'u2')).toBe(Math.max(...positions))
      }),
    )
  })
})
