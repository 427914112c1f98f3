import { describe, expect, test } from 'vitest'
import type { NewFact } from '#machines/contracts/facts.ts'
import { sharesOf } from '#machines/projections/shares.ts'
import { company, group, user } from '../../testing/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { makeShare, NOT_A_MEMBER, NOTHING_YET, revokeShare, SPAN_TOO_LONG, TOO_MANY_SHARES } from './share.ts'

const DAY = 86_400_000
const NOW = 100 * DAY
const IMEI = '350000000000001'
const nadia: NewFact[] = [
  company('frostline'),
  group('frostline', 'frostline', null),
  user('u7', 'frostline', 'frostline', 'nadia', { superAdmin: true }),
]
const driver = user('u8', 'indus', 'punjab', 'laila', { type: 'Driver' })

const make = (shareId: string, more: object = {}, by = 'u2', at = NOW) => ({
  type: 'share.make' as const,
  at,
  by,
  data: { shareId, imei: IMEI, from: NOW - DAY, to: NOW, tokenHash: `hash-${shareId}`, days: 7, ...more },
})
const revoke = (shareId: string, by: string, imei = IMEI) => ({
  type: 'share.revoke' as const,
  at: NOW + 1,
  by,
  data: { imei, shareId },
})
const inGroup =
  (groupId: string) => (directory: Parameters<typeof makeShare>[0], command: ReturnType<typeof make>) =>
    makeShare(directory, command, groupId)
const withShare = () => {
  const record = given(...twoCompanies, driver)
  record.store(record.when(inGroup('punjab'), make('sh-1')))
  return record
}

describe('a link to a device', () => {
  test('holds the device, the span up to now, who made it and the hash of its token', () => {
    const { stored, directory } = (() => {
      const record = given(...twoCompanies)
      record.store(record.when(inGroup('punjab'), make('sh-1', { to: NOW + DAY })))
      return record
    })()
    expect(stored.at(-1)).toMatchObject({
      type: 'share.made',
      companyId: 'indus',
      by: 'u2',
      data: { deviceNo: 1, from: NOW - DAY, to: NOW, tokenHash: 'hash-sh-1', expiresAt: NOW + 7 * DAY },
    })
    expect(sharesOf(directory.shares, 1)).toMatchObject([{ shareId: 'sh-1', madeBy: 'u2', madeAt: NOW }])
  })

  test.each([
    [{ from: NOW, to: NOW - 1 }, 'startDate'],
    [{ from: NOW + 1, to: NOW + DAY }, 'startDate', NOTHING_YET],
    [{ from: NOW - 32 * DAY }, 'endDate', SPAN_TOO_LONG],
    [{ days: 0 }, 'days'],
    [{ days: 32 }, 'days'],
  ])('%j is refused with its path', (more, path, message = expect.any(String)) => {
    const { facts, refused } = given(...twoCompanies).when(inGroup('punjab'), make('sh-1', more))
    expect(facts).toEqual([])
    expect(refused).toMatchObject({ status: 422, message, extra: { path } })
  })

  test('is made of devices in the visible scope alone, and by nobody from outside the company', () => {
    const record = given(...twoCompanies, ...nadia)
    expect(record.when(inGroup('sindh'), make('sh-1')).refused?.status).toBe(404)
    expect(record.when(inGroup('indus'), make('sh-1', {}, 'u7')).refused).toMatchObject({
      status: 403,
      message: NOT_A_MEMBER,
    })
  })

  test('is one of fifty; those that have run out are forgotten', () => {
    const record = given(...twoCompanies)
    for (let n = 0; n < 50; n++) record.store(record.when(inGroup('punjab'), make(`sh-${n}`)))
    expect(record.when(inGroup('punjab'), make('sh-50')).refused?.message).toBe(TOO_MANY_SHARES)
    record.store(record.when(inGroup('punjab'), make('sh-50', {}, 'u2', NOW + 7 * DAY)))
    expect(sharesOf(record.directory.shares, 1).map(({ shareId }) => shareId)).toEqual(['sh-50'])
  })

  test('is counted while it opens: not those of who was moved to where they do not see the device', () => {
    const record = given(...twoCompanies)
    for (let n = 0; n < 50; n++) record.store(record.when(inGroup('punjab'), make(`sh-${n}`)))
    const by = { at: NOW, companyId: 'indus', by: 'u1' }
    record.store({ facts: [{ ...by, type: 'user.updated', data: { userId: 'u2', groupId: 'sindh' } }] })
    expect(record.when(inGroup('indus'), make('sh-50', {}, 'u1')).facts).toHaveLength(1)
    record.store({ facts: [{ ...by, type: 'user.updated', data: { userId: 'u2', groupId: 'punjab' } }] })
    expect(record.when(inGroup('indus'), make('sh-50', {}, 'u1')).refused?.message).toBe(TOO_MANY_SHARES)
  })

  test.each([
    ['u2', 'punjab', undefined],
    ['u1', 'indus', undefined],
    ['u8', 'punjab', 404],
    ['u3', 'karakoram', 404],
    ['u4', 'empty', 404],
  ])('is ended by whoever made it and by managers who see the device: %s in %s', (by, groupId, status) => {
    const record = withShare()
    const decision = record.when(
      (state, command) => revokeShare(state, command, { userId: by, groupId, superAdmin: false }),
      revoke('sh-1', by),
    )
    expect(decision.refused?.status).toBe(status)
    record.store(decision)
    expect(record.directory.shares.ids.has('hash-sh-1')).toBe(status !== undefined)
  })

  test('is not ended by way of another device', () => {
    const viewer = { userId: 'u1', groupId: 'indus', superAdmin: false }
    const { refused } = withShare().when(
      (state, command) => revokeShare(state, command, viewer),
      revoke('sh-1', 'u1', '350000000000002'),
    )
    expect(refused?.status).toBe(404)
  })

  test('goes with who made it', () => {
    const record = withShare()
    record.store({
      facts: [{ type: 'user.deleted', at: NOW, companyId: 'indus', data: { userId: 'u2' } }],
    })
    expect(sharesOf(record.directory.shares, 1)).toEqual([])
  })
})
