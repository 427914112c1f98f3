import { beforeEach, describe, expect, test } from 'vitest'
import type { Session } from '#machines/session/session.ts'
import { createSessionStorage } from './storage.ts'

const session: Session = {
  user: { _id: 'u1', name: 'Bilal', userName: 'bilal', groupId: 'g1', companyId: 'c1', exp: 1_800_000_000 },
  accessToken: 'access',
  refreshToken: 'refresh',
  identityId: 'identity',
  groupInfo: { depthLevel: 2, groupImage: null, name: 'Lahore' },
  companyInfo: { groupId: 'g1', companyId: 'c1' },
  isSuperAdminUser: false,
}

let stored: Map<string, string>
let window: EventTarget
const local = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  clear: () => stored.clear(),
} as Storage
const storage = () => createSessionStorage(local, window as Window)

beforeEach(() => {
  stored = new Map()
  window = new EventTarget()
})

describe('a session', () => {
  test('is kept under the keys of the documents and no others', () => {
    storage().remember(session)
    expect([...stored.keys()].sort()).toEqual(
      ['companyInfo', 'groupInfo', 'identityId', 'refreshToken', 'token', 'user', 'user_id'].sort(),
    )
    expect(JSON.parse(stored.get('user') ?? '')).toEqual({ ...session.user, accessToken: 'access' })
    expect(stored.get('token')).toBe('access')
    expect(stored.get('user_id')).toBe('u1')
  })

  test('comes back as it was', () => {
    storage().remember(session)
    expect(storage().remembered()).toEqual(session)
    storage().remember({ ...session, isSuperAdminUser: true })
    expect(storage().remembered()?.isSuperAdminUser).toBe(true)
  })

  test('without a depth has the documents’ default', () => {
    storage().remember(session)
    stored.set('groupInfo', '{}')
    expect(storage().remembered()?.groupInfo).toEqual({ depthLevel: 3, groupImage: null, name: '' })
  })

  test.each(['user', 'companyInfo', 'groupInfo'])('whose %s is broken is none', (key) => {
    storage().remember(session)
    for (const broken of ['{', 'null', '{"_id":7}', '[]']) {
      stored.set(key, broken)
      if (key === 'groupInfo' && broken === '{"_id":7}') continue
      expect(storage().remembered()).toBeNull()
    }
  })

  test('is gone with everything else when it is forgotten', () => {
    storage().remember(session)
    stored.set('something', 'else')
    storage().forget()
    expect(stored.size).toBe(0)
  })
})

test('the group is kept beside the tokens of another window, and not without a session', () => {
  const group = { ...session.groupInfo, name: 'Another name', groupImage: '/api/images/a' }
  storage().rememberGroup(group)
  expect(stored.size).toBe(0)
  storage().remember({ ...session, accessToken: 'newer' })
  storage().rememberGroup(group)
  expect(storage().remembered()).toEqual({ ...session, accessToken: 'newer', groupInfo: group })
})

test('a name is kept beside the tokens of another window, and not with another user', () => {
  const named = { ...session, user: { ...session.user, name: 'Bilal Ahmed' } }
  storage().rememberName(named)
  expect(stored.size).toBe(0)
  const newer = { ...session, accessToken: 'newer', refreshToken: 'newer', identityId: 'newer' }
  storage().remember(newer)
  storage().rememberName(named)
  expect(storage().remembered()).toEqual({ ...newer, user: named.user })
  const another = { ...newer, user: { ...session.user, _id: 'u2', name: 'Sana' } }
  storage().remember(another)
  storage().rememberName(named)
  expect(storage().remembered()).toEqual(another)
})

test('a forced reset leaves a token and no user', () => {
  storage().remember(session)
  storage().rememberReset('reset')
  expect([...stored]).toEqual([['token', 'reset']])
  expect(storage().remembered()).toBeNull()
  expect(storage().rememberedReset()).toBe('reset')
  storage().forget()
  expect(storage().rememberedReset()).toBeNull()
})

test('a session is no forced reset, not even a broken one', () => {
  storage().remember(session)
  expect(storage().rememberedReset()).toBeNull()
  stored.delete('user')
  expect(storage().rememberedReset()).toBeNull()
})

test('another window signing out is heard, its other doings are not', () => {
  let heard = 0
  const stop = storage().onForgottenElsewhere(() => heard++)
  const event = (key: string | null, newValue: string | null) =>
    window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue }))
  event('token', 'another')
  expect(heard).toBe(0)
  event(null, null)
  event('user', null)
  expect(heard).toBe(2)
  stop()
  event(null, null)
  expect(heard).toBe(2)
})

test('another window signing in, or renewing, is heard once everything is there', () => {
  const heard: Session[] = []
  const stop = storage().onStoredElsewhere((one) => heard.push(one))
  const elsewhere = createSessionStorage(
    {
      ...local,
      setItem(key: string, value: string) {
        stored.set(key, value)
        window.dispatchEvent(Object.assign(new Event('storage'), { key, newValue: value }))
      },
    } as Storage,
    new EventTarget() as Window,
  )
  elsewhere.remember(session)
  elsewhere.remember({ ...session, accessToken: 'access-2', refreshToken: 'refresh-2' })
  expect(heard).toEqual([session, { ...session, accessToken: 'access-2', refreshToken: 'refresh-2' }])
  stop()
  elsewhere.remember(session)
  expect(heard).toHaveLength(2)
})
