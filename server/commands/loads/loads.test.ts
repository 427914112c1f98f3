import { describe, expect, test } from 'vitest'
import type { CommandData } from '#machines/contracts/commands.ts'
import type { NewFact } from '#machines/contracts/facts.ts'
import { loadOn } from '#machines/projections/loads.ts'
import { user } from '../../testing/facts.ts'
import type { Decision } from '../decision.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import {
  CARRIES_OTHER,
  CLOSED_AND_OPENED,
  LISTED_TWICE,
  NO_DEVICE,
  NOT_CARRIED,
  workLoadList,
} from './load-list.ts'
import {
  CARRIED_ANOTHER,
  CARRIES_ONE,
  LOADS_A_DAY,
  MANY_A_DAY,
  NO_PROFILE,
  NO_REFERENCE,
  openLoad,
  STILL_TO_COME,
  TOO_LONG_AGO,
  UNKNOWN_PROFILE,
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
  const command = <T extends 'load.close' | 'load.begin-review' | 'load.release' | 'load.reject'>(
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
      rows: readonly (readonly [
        imei: string,
        reference: string,
        close?: 'close' | undefined,
        since?: number,
      ])[],
      { goodOnly = false, by = ayesha, profile = 'Medicines 2–8 °C', at = NOW } = {},
    ) => {
      const loads = rows.map(([one, reference, close, since = null], i) => ({
        ...{ line: i + 2, loadId: `${at} ${i}`, imei: one, reference, profile, since },
        isOver: close !== undefined,
      }))
      const command = { type: 'load.work-list' as const, at, by: by.userId, data: { loads, goodOnly } }
      const { facts, faults, already } = workLoadList(directory, command, by)
      store({ facts })
      return {
        facts: facts.map(({ type }) => type),
        faults: faults.map(({ line, column, reason }) => [line, column, reason]),
        already,
      }
    },
    close: (by = ayesha, loadId = 'l1', at = NOW) =>
      result(closeLoad(directory, command('load.close', by, { loadId }, at), by)),
    review: (by = ayesha) =>
      result(beginReview(directory, command('load.begin-review', by, { loadId: 'l1' }), by)),
    release: (by = ayesha, reason = 'Stability data') =>
      result(decideLoad(directory, command('load.release', by, { loadId: 'l1', reason }), by)),
    reject: (by = ayesha, reason = 'Too warm') =>
      result(decideLoad(directory, command('load.reject', by, { loadId: 'l1', reason }), by)),
    exhaust: (at: number | null, receivedAt: number | null = null, now = NOW + 1) => {
      const data = {
        loadId: 'l1',
        exhausted: at === null ? null : { at, ...used },
        isAtRisk: false,
        receivedAt,
      }
      return result(noteExhausted(directory, { type: 'load.note-exhausted', at: now, by: null, data }))
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
})

describe('a device', () => {
  test('takes so many loads within 24 hours and no more, one by one or by a list; another still may', () => {
    const { open, close, list } = record()
    const MINUTE = 60_000
    for (let i = 0; i < LOADS_A_DAY; i++) {
      const at = NOW + i * MINUTE
      expect(open({ loadId: `l${i}` }, ayesha, at)).toContain('load.opened')
      close(ayesha, `l${i}`, at + 1)
    }
    const late = NOW + DAY
    expect(open({ loadId: 'more' }, ayesha, late)).toEqual([429, MANY_A_DAY])
    // since when it is to count is said by whoever opens it
    expect(open({ loadId: 'more', since: late }, ayesha, late)).toEqual([429, MANY_A_DAY])
    expect(list([[imei(1), 'Lot 9']], { at: late })).toMatchObject({ faults: [[2, 'IMEI', MANY_A_DAY]] })
    expect(list([[imei(2), 'Lot 9']], { at: late }).facts).toEqual(['load.opened'])
    expect(open({ loadId: 'more' }, ayesha, late + 1)).toEqual(['load.opened'])
  })
})

describe('a list of loads', () => {
  test('opens all or none, and says what is wrong with which line and column', () => {
    const rows = [
      [imei(0), 'A'],
      [imei(1), 'B'],
      [imei(1), 'C'],
      [imei(4), 'D'],
      [imei(2), ''],
      [imei(3), 'E', undefined, NOW + 1],
    ] as const
    expect(record().list(rows)).toEqual({
      facts: [],
      faults: [
        [4, 'IMEI', LISTED_TWICE],
        [5, 'IMEI', NO_DEVICE],
        [6, 'Reference', NO_REFERENCE],
        [7, 'Since', STILL_TO_COME],
      ],
      already: 0,
    })
    const opened = ['profile.set', 'load.opened', 'load.opened']
    expect(record().list(rows, { goodOnly: true }).facts).toEqual(opened)
    expect(record().list([[imei(0), 'A']], { profile: 'Ice cream' }).faults).toEqual([
      [2, 'Profile', UNKNOWN_PROFILE],
    ])
    expect(record().list([[imei(0), 'A']], { profile: '' }).faults).toEqual([[2, 'Profile', NO_PROFILE]])
  })

  test('closes what it says is over, and opens what comes after it on the same device', () => {
    const { open, list, directory } = record()
    open()
    const rows = [
      [imei(1), 'Lot 8'],
      [imei(1), 'Lot 7', 'close'],
    ] as const
    expect(list(rows, { at: NOW + 5 }).facts).toEqual(['load.closed', 'load.opened'])
    expect(directory.loads.byId.get('l1')).toMatchObject({ stage: 'closed', closedAt: NOW + 5 })
    expect(loadOn(directory.loads, 1)?.reference).toBe('Lot 8')
    const again = { facts: [], faults: [], already: 2 }
    expect(list(rows, { at: NOW + 9 }), 'sent twice').toEqual(again)
    expect(list([[imei(1), ' Lot 7 ', 'close']], { at: NOW + 9 })).toEqual({ ...again, already: 1 })
  })

  test('closes only what one sees and what is on its device, and no load it opens itself', () => {
    const { open, list } = record()
    open()
    const close = (by: Viewer) => list([[imei(1), 'Lot 7', 'close']], { by })
    expect(close(karim).faults).toEqual([[2, 'IMEI', NO_DEVICE]])
    expect(
      list([
        [imei(1), 'Lot 6', 'close'],
        [imei(2), 'Lot 7', 'close'],
        [imei(1), '', 'close'],
        [imei(1), 'Lot 9'],
      ]).faults,
    ).toEqual([
      [2, 'Reference', CARRIES_OTHER],
      [3, 'Reference', NOT_CARRIED],
      [4, 'Reference', NO_REFERENCE],
      [5, 'IMEI', CARRIES_ONE],
    ])
    const both = list([
      [imei(1), 'Lot 7'],
      [imei(1), 'Lot 7', 'close'],
    ])
    expect(both).toMatchObject({ facts: [], faults: [[2, 'Reference', CLOSED_AND_OPENED]] })
    const since = list([
      [imei(1), 'Lot 7', 'close'],
      [imei(1), 'Lot 9', undefined, NOW - 1],
    ])
    expect(since).toMatchObject({ facts: [], faults: [[3, 'Since', CARRIED_ANOTHER]] })
    expect(close(laila).facts, 'whoever sees its device').toEqual(['load.closed'])
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

  test('whose readings are no longer kept is not told to have been exhausted later or never', () => {
    const { open, exhaust, load } = record()
    open()
    exhaust(NOW + 5)
    const later = NOW + 100 * 86_400_000
    expect(exhaust(null, later, later)).toEqual([])
    expect(exhaust(NOW + 6, later, later)).toEqual([])
    expect(load()).toMatchObject({ stage: 'exhausted', exhausted: { at: NOW + 5 } })
    // that is sure, whatever is gone
    expect(exhaust(NOW + 3, later, later)).toEqual(['load.revised'])
  })
})
