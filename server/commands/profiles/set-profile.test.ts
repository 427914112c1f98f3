import { describe, expect, test } from 'vitest'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import { profileNow, profileVersions } from '#machines/projections/profiles.ts'
import { user } from '../../testing/facts.ts'
import { twoCompanies } from '../testing/company-facts.ts'
import { given } from '../testing/given.ts'
import { assignProfile, MANAGERS_CHANGE, NAME_TAKEN, setProfile } from './set-profile.ts'

const MEDICINES = SHIPPED_PROFILES['medicines-2-8'] as ProfileForm
type Keeper = Parameters<typeof setProfile>[2]
const keeper = (userId: string, groupId: string, companyId = 'indus'): Keeper => ({
  ...{ userId, groupId, companyId },
  superAdmin: false,
})
const ayesha = keeper('u1', 'indus')
const danish = keeper('u2', 'punjab')
const driver = user('u8', 'indus', 'punjab', 'laila', { type: 'User' })

function record() {
  const { store, when, directory } = given(...twoCompanies, driver)
  let at = 0
  const result = ({ facts, refused }: ReturnType<typeof setProfile>) => {
    store({ facts })
    return refused ?? facts.map(({ data }) => data)
  }
  return {
    directory,
    set: (
      profileId: string,
      changes: Partial<ProfileForm> = {},
      more: { isNew?: boolean; ifVersion?: string; by?: Keeper } = {},
    ) => {
      const { isNew = false, ifVersion = null, by = ayesha } = more
      const data = { profileId, isNew, ifVersion, ...MEDICINES, ...changes }
      const command = { type: 'profile.set' as const, at: ++at, by: by.userId, data }
      return result(when((state, one: typeof command) => setProfile(state, one, by), command))
    },
    assign: (profileId: string | null, to: { groupId?: string; imei?: string }, by = ayesha) => {
      const data = { profileId, groupId: to.groupId ?? null, imei: to.imei ?? null }
      const command = { type: 'profile.assign' as const, at: ++at, by: by.userId, data }
      return result(when((state, one: typeof command) => assignProfile(state, one, by), command))
    },
  }
}

describe('a profile', () => {
  test('that is shipped is the company’s own once it is changed, and is another for nobody else', () => {
    const { set, directory } = record()
    expect(profileNow(directory.profiles, 'indus', 'medicines-2-8')?.number).toBe(0)
    expect(set('medicines-2-8', { mktDecides: false })).toMatchObject([
      { version: 1, shippedAs: 'medicines-2-8', mktDecides: false },
    ])
    expect(set('medicines-2-8', { mktDecides: false }), 'the same again').toEqual([])
    expect(set('medicines-2-8', { name: ' Insulin ' })).toMatchObject([{ version: 2, name: 'Insulin' }])
    const versions = profileVersions(directory.profiles, 'indus', 'medicines-2-8')
    expect(versions.map(({ number, by }) => [number, by])).toEqual([
      [2, 'u1'],
      [1, 'u1'],
      [0, null],
    ])
    expect(profileNow(directory.profiles, 'karakoram', 'medicines-2-8')?.form).toEqual(MEDICINES)
  })

  test('of one’s own is made, under a name there is not yet', () => {
    const { set } = record()
    expect(set('p1', {}, { isNew: true })).toMatchObject({
      status: 422,
      extra: { path: 'name' },
      message: NAME_TAKEN,
    })
    expect(set('p1', { name: 'Blood' }, { isNew: true })).toMatchObject([{ profileId: 'p1', version: 1 }])
    expect(set('p2', { name: 'blood' }, { isNew: true })).toMatchObject({ status: 422 })
    expect(set('p3', { name: 'Plasma' }), 'one there is not').toMatchObject({ status: 404 })
  })

  test('is kept by managers, and two who change it at once do not undo each other', () => {
    const { set } = record()
    const by = keeper('u8', 'punjab')
    expect(set('medicines-2-8', { name: 'X' }, { by })).toEqual({ status: 403, message: MANAGERS_CHANGE })
    set('medicines-2-8', { name: 'A' }, { ifVersion: '0' })
    expect(set('medicines-2-8', { name: 'B' }, { ifVersion: '0', by: danish })).toMatchObject({ status: 412 })
  })

  test('says what is wrong with it, by field', () => {
    const { set } = record()
    const rules: ProfileForm['rules'] = [
      ...MEDICINES.rules.slice(-1),
      ...MEDICINES.rules.slice(-1),
      {
        ...{
          kind: 'time',
          side: 'above',
          limit: 5,
          isInclusive: false,
          minutes: 60,
          isFullAllowed: true,
          spell: 'total',
        },
        ifNeverBeyond: { limit: 4, minutes: 90 },
      },
    ]
    const wrong = set('medicines-2-8', { name: ' ', rules, surroundings: { low: 5, high: 5 } })
    const { errors } = (wrong as unknown as { extra: { errors: { path: string }[] } }).extra
    expect(errors.map(({ path }) => path)).toEqual([
      'name',
      'surroundings.high',
      'rules',
      'rules.2.ifNeverBeyond',
    ])
  })
})

describe('giving a profile', () => {
  test('to a group or a device one sees, once', () => {
    const { assign, directory } = record()
    expect(assign('vaccine-who-1', { groupId: 'punjab' }, danish)).toHaveLength(1)
    expect(assign('vaccine-who-1', { groupId: 'punjab' }, danish)).toEqual([])
    expect(assign('chilled-food', { imei: '350000000000002' }, danish)).toHaveLength(1)
    expect([...directory.profiles.ofGroups, ...directory.profiles.ofDevices]).toEqual([
      ['punjab', 'vaccine-who-1'],
      [2, 'chilled-food'],
    ])
    expect(assign(null, { groupId: 'punjab' })).toHaveLength(1)
    expect(directory.profiles.ofGroups.size).toBe(0)
  })

  test('not to what one does not see, of what there is not, or by who is no manager', () => {
    const { assign } = record()
    expect(assign('chilled-food', { groupId: 'sindh' }, danish)).toMatchObject({ status: 404 })
    expect(assign('chilled-food', { imei: '350000000000004' })).toMatchObject({ status: 404 })
    expect(assign('none', { groupId: 'punjab' })).toMatchObject({ status: 422 })
    expect(assign('chilled-food', { groupId: 'punjab' }, keeper('u8', 'punjab'))).toMatchObject({
      status: 403,
    })
  })
})
