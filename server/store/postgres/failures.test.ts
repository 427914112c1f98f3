import postgres from 'postgres'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../store.ts'
import { asStoreError, ConnectionLost } from './failures.ts'

const errorOf = (code: string): Error => Object.assign(new postgres.PostgresError(code), { code })
const ofNetwork = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['the connection ended', errorOf('08006')],
  ['it has no room', errorOf('53100')],
  ['it has no connection left', errorOf('53300')],
  ['it shuts down', errorOf('57P01')],
  ['it starts', errorOf('57P03')],
  ['another server took over', errorOf('25006')],
  ['the network', ofNetwork('ECONNRESET')],
  ['the silence', new ConnectionLost('no answer')],
])('a store is away where %s', (_, error) => {
  expect(asStoreError(error)).toBeInstanceOf(StoreUnavailable)
})

test.each([
  ['a damaged page', errorOf('XX001')],
  ['a damaged index', errorOf('XX002')],
  ['an internal error', errorOf('XX000')],
  ['a missing file', errorOf('58P01')],
  ['a disk that cannot be read', errorOf('58030')],
  ['what it cannot hold', errorOf('22P05')],
  ['a fault of ours', new TypeError('undefined')],
])('%s is told as it is: waiting mends nothing', (_, error) => {
  expect(asStoreError(error)).toBe(error)
})
