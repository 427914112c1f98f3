import { expect, test } from 'vitest'
import { decode } from '../decode.ts'
import { Id } from '../scalars.ts'
import { ProfileForm } from './profiles.ts'
import { SHIPPED_PROFILES } from './shipped-profiles.ts'

test('each shipped profile is one that a company may set, and says where it is from', () => {
  for (const [profileId, form] of Object.entries(SHIPPED_PROFILES)) {
    decode(profileId, Id)
    expect(decode(structuredClone(form), ProfileForm, profileId)).toEqual(form)
    expect(form.source).not.toBe('')
  }
  expect(Object.keys(SHIPPED_PROFILES)).toHaveLength(5)
})
