import { describe, expect, test } from 'vitest'
import { takeHandOff } from './hand-off.ts'

const fields = {
  group: 'karakoram',
  company: 'karakoram',
  groupName: 'Karakoram Foods',
  depthLevel: '1',
  groupImage: '/api/images/x',
  refreshToken: 'refresh',
  token: 'access',
  identityId: 's-1',
  user: 'user-admin',
}

function opened(query: Record<string, string>, pathname = '/adminLogin') {
  const shown: (string | URL | null | undefined)[] = []
  const taken = takeHandOff(
    { pathname, search: `?${new URLSearchParams(query)}` },
    { replaceState: (_state, _title, url) => void shown.push(url) },
  )
  return { taken, shown }
}

test('is read from the address, which loses it', () => {
  const { taken, shown } = opened(fields)
  expect(taken).toEqual({
    accessToken: 'access',
    refreshToken: 'refresh',
    identityId: 's-1',
    userId: 'user-admin',
    companyInfo: { groupId: 'karakoram', companyId: 'karakoram' },
    groupInfo: { depthLevel: 1, groupImage: '/api/images/x', name: 'Karakoram Foods' },
  })
  expect(shown).toEqual(['/adminLogin'])
})

test('may bring the user as JSON, and leave out what only the eye needs', () => {
  const { groupName: _, depthLevel: __, ...rest } = fields
  const { taken } = opened({ ...rest, groupImage: 'null', user: JSON.stringify({ _id: 'user-admin' }) })
  expect(taken).toMatchObject({
    userId: 'user-admin',
    groupInfo: { depthLevel: 3, groupImage: null, name: '' },
  })
})

describe('is spoilt, and stripped all the same,', () => {
  test.each(['group', 'company', 'refreshToken', 'token', 'identityId', 'user'])('without %s', (name) => {
    const { taken, shown } = opened(
      Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name)),
    )
    expect([taken, shown]).toEqual([null, ['/adminLogin']])
    expect(opened({ ...fields, [name]: '' }).taken).toBeNull()
  })

  test.each([{ depthLevel: 'deep' }, { user: '{' }, { user: '{"name":"Nadia"}' }])('with %j', (spoilt) =>
    expect(opened({ ...fields, ...spoilt }).taken).toBeNull(),
  )

  test('with nothing', () => expect(opened({}).taken).toBeNull())
})

test('is no concern of another page', () => {
  expect(opened(fields, '/login')).toEqual({ taken: undefined, shown: [] })
})
