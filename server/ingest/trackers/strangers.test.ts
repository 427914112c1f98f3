import { describe, expect, test } from 'vitest'
import { createStrangers } from './strangers.ts'

const MINUTE = 60_000

describe('strangers', () => {
  test('are heard so often an address and minute, and again in the next', () => {
    const strangers = createStrangers(2)
    const heard = [0, 1, 2, 3].map((at) => strangers.isHeard('10.0.0.1', at))
    expect(heard).toEqual([true, true, false, false])
    expect(strangers.isHeard('10.0.0.2', 3)).toBe(true)
    expect(strangers.isHeard('10.0.0.1', MINUTE)).toBe(true)
  })

  test('of one IPv6 network count together, however it is written; of IPv4 written as IPv6 they do not', () => {
    const strangers = createStrangers(1)
    expect(strangers.isHeard('2001:db8:1:2:3:4:5:6', 0)).toBe(true)
    expect(strangers.isHeard('2001:db8:1:2::9', 0)).toBe(false)
    expect(strangers.isHeard('2001:db8:1:3::9', 0)).toBe(true)
    expect(strangers.isHeard('::ffff:10.0.0.1', 0)).toBe(true)
    expect(strangers.isHeard('::ffff:10.0.0.2', 0)).toBe(true)
  })
})
