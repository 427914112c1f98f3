import type { NewFact } from '#machines/contracts/facts.ts'
import { hashOfKey } from '../../auth/key-of.ts'
import { company, device, group, user } from '../../testing/facts.ts'

/** Key of the trackers of Indus; Karakoram has none. */
export const DEVICE_KEY = 'key-of-indus'

/**
 * Two companies. Indus: `indus` › `punjab` › `lahore`, beside it `sindh`, and `empty`; `ayesha` (u1) sits at the top,
 * `danish` (u2) in `punjab`, `noor` (u4) in `empty`. Karakoram: one group, `karim` (u3).
 * Devices 0 `indus`, 1 `punjab`, 2 `lahore`, 3 `sindh`, 4 `karakoram`.
 */
export const twoCompanies: NewFact[] = [
  company('indus', { deviceKeyHash: hashOfKey(DEVICE_KEY) }),
  group('indus', 'indus', null),
  group('punjab', 'indus', 'indus'),
  group('lahore', 'indus', 'punjab'),
  group('sindh', 'indus', 'indus'),
  group('empty', 'indus', 'indus'),
  user('u1', 'indus', 'indus', 'ayesha'),
  user('u2', 'indus', 'punjab', 'danish'),
  user('u4', 'indus', 'empty', 'noor'),
  company('karakoram'),
  group('karakoram', 'karakoram', null),
  user('u3', 'karakoram', 'karakoram', 'karim'),
  device(0, '350000000000000', 'indus', 'indus'),
  device(1, '350000000000001', 'indus', 'punjab'),
  device(2, '350000000000002', 'indus', 'lahore'),
  device(3, '350000000000003', 'indus', 'sindh'),
  device(4, '350000000000004', 'karakoram', 'karakoram'),
]
