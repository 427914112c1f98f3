import { describe, expect, test } from 'vitest'
import type { CommandData } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { loadOn } from '#machines/projections/loads.ts'
import { user } from '../../testing/facts.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import {
  CARRIED_ANOTHER,
  CARRIES_ONE,
  NO_PROFILE,
  NO_REFERENCE,
  openListed,
  openLoad,
  STILL_TO_COME,
  TOO_LONG_AGO,
} from './open-load.ts'
import {
  beginReview,
  closeLoad,
  decideLoad,
  IS_CLOSED,
  MANAGERS_DECIDE,
  NOT_IN_REVIEW,
  NOTHING_TO_REVIEW,
  noteExhausted,
} from './work-on-load.ts'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 5, 15, 8)
const imei = (no: number) => `35000000000000${no}`
type Viewer = Parameters<typeof closeLoad>[2]
const viewer = (userId: string, groupId: string, companyId = 'indus'): Viewer => ({
  ...{ userId, groupId, companyId },
  superAdmin: false,
})
const ayesha = viewer('u1', 'indus')
const danish = viewer('u2', 'punjab')
const laila = viewer('u8', 'punjab')
const karim = viewer('u3', 'karakoram', 'karakoram')
const operator = user('u8', 'indus', 'punjab', 'laila', { type: 'User' })
const used = { rule: 1, used: 1441, allowed: 1440 }

function record(...more: NewFact[]) {
  const { store, directory, when } = given(...twoCompanies, operator, ...more)
  const result = ({ facts, refused }: Decision) => {
    store({ facts })
    return refused === undefined ? facts.map(({ type }) => type) : [refused.status, refused.message]
  }
  const opener = ({ companyId, groupId }: Viewer) => ({ companyId, topId: groupId })
  const said = <T extends 'load.close' | 'load.begin-review' | 'load.release' | 'load.reject'>(
    type: T,
    by: Viewer,
    data: CommandData<T>,
    at = NOW,
  ) => ({ type, at, by: by.userId, data })
  return {
    directory,
    open: (wanted: Partial<CommandData<'load.open'>> = {}, by = ayesha, at = NOW) => {
      const data = {
        loadId: 'l1',
        imei: imei(1),
        reference: 'Lot 7',
        profileId: 'medicines-2-8',
        since: null,
        ...wanted,
      }
      const command = { type: 'load.open' as const, at, by: by.userId, data }
      return result(when((state, one: typeof command) => openLoad(state, one, opener(by)), command))
    },
    list: (
      rows: (readonly [imei: string, reference: string, profile: string])[],
      goodOnly = false,
      by = ayesha,
    ) => {
      const loads = rows.map(([one, reference, profile], i) => ({
        ...{ line: i + 2, loadId: `x${i}`, imei: one, reference, profile, since: null },
      }))
      const command = { type: 'load.open-listed' as const, at: NOW, by: by.userId, data: { loads, goodOnly } }
      const { facts, faults } = openListed(directory, command, opener(by))
      store({ facts })
      return {
        facts: facts.map(({ type }) => type),
        faults: faults.map(({ line, reason }) => [line, reason]),
      }
    },
    close: (by = ayesha, loadId = 'l1') =>
      result(closeLoad(directory, said('load.close', by, { loadId }), by)),
    review: (by = ayesha) =>
      result(beginReview(directory, said('load.begin-review', by, { loadId: 'l1' }), by)),
    release: (by = ayesha, reason = 'Stability data') =>
      result(decideLoad(directory, said('load.release', by, { loadId: 'l1', reason }), by)),
    reject: (by = ayesha, reason = 'Too warm') =>
      result(decideLoad(directory, said('load.reject', by, { loadId: 'l1', reason }), by)),
    exhaust: (at: number | null, receivedAt: number | null = null) => {
      const data = {
        loadId: 'l1',
        exhausted: at === null ? null : { at, ...used },
        isAtRisk: false,
        receivedAt,
      }
      return result(noteExhausted(directory, { type: 'load.note-exhausted', at: NOW + 1, by: null, data }))
    },
    load: () => directory.loads.byId.get('l1'),
  }
}

describe('opening a load', () => {
  test('takes the company’s copy of a shipped profile, made once', () => {
    const { open, load } = record()
    expect(open()).toEqual(['profile.set', 'load.opened'])
    expect(open({ loadId: 'l2', imei: imei(2) })).toEqual(['load.opened'])
    expect(load()).toMatchObject({
      deviceNo: 1,
      version: 1,
      openedBy: 'ayesha Malik',
      openedAt: NOW,
      stage: 'within',
    })
  })

  test('takes the profile of the device, else of the nearest group above, where none is said', () => {
    const assigned = (profileId: string, groupId: string | null, of: string | null): NewFact => ({
      ...{ type: 'profile.assigned', at: 1, companyId: 'indus' },
      data: { companyId: 'indus', profileId, groupId, imei: of },
    })
    const { open, directory } = record(
      assigned('chilled-food', 'indus', null),
      assigned('vaccine-who-1', null, imei(2)),
    )
    open({ loadId: 'a', imei: imei(1), profileId: null })
    open({ loadId: 'b', imei: imei(2), profileId: null })
    expect(['a', 'b'].map((id) => directory.loads.byId.get(id)?.profileId)).toEqual([
      'chilled-food',
      'vaccine-who-1',
    ])
    expect(record().open({ profileId: null })).toEqual([422, NO_PROFILE])
  })

  test('is refused for a device one does not see, that carries one, without a reference, or at a wrong time', () => {
    const { open, close } = record()
    expect(open({ imei: imei(3) }, danish)).toMatchObject([404, 'Not found'])
    expect(open({}, karim)).toMatchObject([404, 'Not found'])
    expect(open({ reference: ' \u0007 ' })).toEqual([422, NO_REFERENCE])
    expect(open({ since: NOW + 1 })).toEqual([422, STILL_TO_COME])
    expect(open({ since: NOW - 32 * DAY })).toEqual([422, TOO_LONG_AGO])
    expect(open({ since: NOW - DAY })).toEqual(['profile.set', 'load.opened'])
    expect(open({ loadId: 'l2' })).toEqual([409, CARRIES_ONE])
    close()
    expect(open({ loadId: 'l2', since: NOW - 1 }), 'while another was on it').toEqual([422, CARRIED_ANOTHER])
    expect(open({ loadId: 'l2' })).toEqual(['load.opened'])
  })

  test('by a list opens all or none, and says what is wrong with which line', () => {
    const rows = [
      [imei(0), 'A', 'Medicines 2–8 °C'],
      [imei(1), 'B', 'medicines-2-8'],
      [imei(1), 'C', 'medicines-2-8'],
      [imei(4), 'D', 'medicines-2-8'],
      [imei(2), '', 'medicines-2-8'],
      [imei(3), 'E', 'Ice cream'],
    ] as const
    const wrong = record().list([...rows])
    expect(wrong.facts).toEqual([])
    expect(wrong.faults).toEqual([
      [4, 'The device is in the list twice'],
      [5, 'There is no such device'],
      [6, NO_REFERENCE],
      [7, 'There is no such profile'],
    ])
    expect(record().list([...rows], true).facts).toEqual(['profile.set', 'load.opened', 'load.opened'])
  })
})

describe('a load', () => {
  test('is closed once, and frees its device', () => {
    const { open, close, load, directory } = record()
    open()
    expect(close(danish)).toEqual(['load.closed'])
    expect([load()?.stage, loadOn(directory.loads, 1)]).toEqual(['closed', undefined])
    expect(close()).toEqual([409, IS_CLOSED])
    expect(close(karim)).toMatchObject([404, 'Not found'])
  })

  test('is exhausted once, goes on to be closed, is reviewed by anybody and decided about by a manager, with a reason', () => {
    const { open, close, review, release, reject, exhaust, load } = record()
    open()
    expect(review()).toEqual([409, NOTHING_TO_REVIEW])
    expect(exhaust(NOW + 5)).toEqual(['load.exhausted'])
    expect(exhaust(NOW + 5), 'the same again').toEqual([])
    expect(close()).toEqual(['load.closed'])
    expect(load()?.stage).toBe('exhausted')
    expect(reject()).toEqual([409, NOT_IN_REVIEW])
    expect(review(laila)).toEqual(['load.review-begun'])
    expect(reject(laila)).toEqual([403, MANAGERS_DECIDE])
    expect(reject(ayesha, ' ')).toMatchObject([422, 'Please say why'])
    expect(reject(danish)).toEqual(['load.rejected'])
    expect(release()).toEqual([409, NOT_IN_REVIEW])
    expect(load()).toMatchObject({
      stage: 'rejected',
      decision: { userName: 'danish Malik', reason: 'Too warm' },
    })
    expect(load()?.actions.map(({ action }) => action)).toEqual([
      'opened',
      'exhausted',
      'closed',
      'review-begun',
      'rejected',
    ])
  })

  test('that late readings say was never exhausted, or at another time, is told to be so', () => {
    const { open, exhaust, load } = record()
    open()
    exhaust(NOW + 5, NOW + 900_000)
    expect(exhaust(NOW + 3)).toEqual(['load.revised'])
    expect(load()).toMatchObject({ stage: 'exhausted', exhausted: { at: NOW + 3 } })
    expect(exhaust(null)).toEqual(['load.revised'])
    expect(load()).toMatchObject({ stage: 'within', exhausted: null })
    expect(exhaust(null)).toEqual([])
  })
})
