import { expect, test } from 'vitest'
import { deviceChanges } from './device-changes.ts'

test('counts what came and what went', () => {
  expect(deviceChanges(['1', '2', '3'], new Set(['2', '3', '4', '5']))).toEqual({ added: 2, removed: 1 })
  expect(deviceChanges([], new Set())).toEqual({ added: 0, removed: 0 })
})
