import postgres from 'postgres'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../store.ts'
import { asStoreError, ConnectionLost } from './failures.ts'

const saidBy = (code: string): Error => Object.assign(new postgres.PostgresError(code), { code })
const ofNetwork = (code: string): Error => Object.assign(new Error(code), { code })

test.each([
  ['the connection ended', saidBy('08006')],
  ['it has no room', saidBy('53100')],
  ['it has no connection left', saidBy('53300')],
  ['it shuts down', saidBy('57P01')],
  ['it starts', saidBy('57P03')],
  ['another server took over', saidBy('25006')],
  ['the network', ofNetwork('ECONNRESET')],
  ['the silence', new ConnectionLost('no answer')],
])('a store is away where %s', (_, error) => {
  expect(asStoreError(error)).toBeInstanceOf(StoreUnavailable)
})

test.each([
  ['a damaged page', saidBy('XX001')],
  ['a damaged index', saidBy('XX002')],
  ['an internal error', saidBy('XX000')],
  ['a missing file', saidBy('58P01')],
  ['a disk that cannot be read', saidBy('58030')],
  ['what it cannot hold', saidBy('22P05')],
  ['a fault of ours', new TypeError('undefined')],
])('%s is told as it is: waiting mends nothing', (_, error) => {
  expect(asStoreError(error)).toBe(error)
})
