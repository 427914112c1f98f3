import { expect, test } from 'vitest'
import type { Fact } from '../contracts/facts.ts'
import { notificationTypeOf } from './notification-type.ts'

type Status = 'online' | 'offline' | 'disconnected'
const changed = (from: Status, to: Status, isFirst = false): Fact => ({
  seq: 1,
  id: 'f1',
  v: 1,
  at: 0,
  recordedAt: 0,
  companyId: 'c',
  type: 'device-status.changed',
  data: { imei: '350000000000001', from, to, ...(isFirst && { isFirst: true as const }) },
})

test.for<[string, Fact, string | undefined]>([
  ['an unplugged device', changed('online', 'disconnected'), 'vehicleOffline'],
  ['one that was silent before', changed('offline', 'disconnected'), 'vehicleOffline'],
  ['one plugged in again', changed('disconnected', 'online'), 'vehicleOnline'],
  ['one heard for the first time', changed('disconnected', 'online', true), undefined],
  ['silence', changed('online', 'offline'), undefined],
  ['its end', changed('offline', 'online'), undefined],
])('of %s', ([, fact, type]) => expect(notificationTypeOf(fact)).toBe(type))
