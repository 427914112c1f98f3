import { expect, test } from 'vitest'
import { createKnownDevices } from './known-devices.ts'

const devices = createKnownDevices('a secret of more than thirty-two characters', false)
const cookieOf = (setCookie: string): string => setCookie.split(';')[0] as string

test('a browser is known for whom it was marked, and keeps its mark', () => {
  const ayesha = cookieOf(devices.mark(undefined, 'u1'))
  const id = devices.of(ayesha, 'u1')
  expect(id).toMatch(/^[\w-]{12}$/)
  expect(devices.of(ayesha, 'u2')).toBeUndefined()
  expect(devices.of(undefined, 'u1')).toBeUndefined()
  const both = cookieOf(devices.mark(`theme=dark; ${ayesha}`, 'u2'))
  expect(devices.of(both, 'u1')).toBe(id)
  expect(devices.of(both, 'u2')).not.toBe(id)
  expect(devices.of(cookieOf(devices.mark(both, 'u1')), 'u1')).toBe(id)
})

test('a mark that was changed, made elsewhere or made up is none', () => {
  const mark = cookieOf(devices.mark(undefined, 'u1'))
  const elsewhere = createKnownDevices('another secret of more than thirty-two', false)
  expect(elsewhere.of(mark, 'u1')).toBeUndefined()
  for (const wrong of [mark.replace('u1.', 'u2.'), `${mark}x`, mark.slice(0, -1), 'frostline_device=u1', 'x'])
    for (const user of ['u1', 'u2']) expect(devices.of(wrong, user)).toBeUndefined()
  expect(devices.of('frostline_device=__proto__.a.b', '__proto__')).toBeUndefined()
})

test('it is for the sign-in alone, and no script reads it', () => {
  expect(devices.mark(undefined, 'u1')).toMatch(/; Path=\/api\/auth; .*HttpOnly; SameSite=Strict$/)
  expect(createKnownDevices('s', true).mark(undefined, 'u1')).toMatch(/; Secure$/)
})

test('a browser of many people keeps the last ten', () => {
  let cookie: string | undefined
  for (let i = 0; i < 12; i++) cookie = cookieOf(devices.mark(cookie, `u${i}`))
  expect(devices.of(cookie, 'u11')).toBeDefined()
  expect(devices.of(cookie, 'u2')).toBeDefined()
  expect(devices.of(cookie, 'u1')).toBeUndefined()
})
