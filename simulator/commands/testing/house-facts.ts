import type { NewFact } from '#machines/contracts/facts.ts'

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}

export const company = (companyId: string): NewFact => ({
  type: 'company.registered',
  at: 0,
  companyId,
  data: {
    companyId,
    name: companyId,
    bam: { firstName: 'Bilal', lastName: 'Khan', email: `bilal@${companyId}.example`, phone: '0300' },
    partner: { emergencyHelpLineNumber: '111', emergencyEmail: 'help@frostline.example' },
    deviceKeyHash: null,
    timeZone: 'Asia/Karachi',
    patienceSeconds: 300,
    violationDelaySeconds: 60,
    clearMarginTemperature: 0.5,
    clearMarginHumidity: 2,
    tmin: -30,
    tmax: 70,
    hmin: -40,
    hmax: 100,
  },
})

export const group = (groupId: string, companyId: string, parentId: string | null): NewFact => ({
  type: 'group.created',
  at: 0,
  companyId,
  data: { groupId, companyId, parentId, name: groupId, description: '', ...limits },
})

export const user = (userId: string, companyId: string, groupId: string, userName: string): NewFact => ({
  type: 'user.created',
  at: 0,
  companyId,
  data: {
    userId,
    companyId,
    groupId,
    firstName: userName,
    lastName: 'Malik',
    userName,
    email: `${userName}@${companyId}.example`,
    phone: '03001234567',
    type: 'Manager',
    role: 'operator',
  },
})

const device = (no: number, imei: string, companyId: string, groupId: string | null): NewFact => ({
  type: 'device.registered',
  at: 0,
  companyId,
  data: {
    no,
    imei,
    companyId,
    groupId,
    name: `Reefer ${no}`,
    plateNumber: `LES-${no}`,
    vehicleMakeAndModel: 'Hino 500',
    type: no % 2 === 0 ? 'vehicle' : 'warehouse',
    source: 'world',
  },
})

/**
 * Two companies. Indus: `indus` › `punjab` › `lahore`, beside it `sindh`, and `empty`; `ayesha` (u1) sits at the top,
 * `danish` (u2) in `punjab`, `noor` (u4) in `empty`. Karakoram: one group, `karim` (u3).
 * Devices 0 `indus`, 1 `punjab`, 2 `lahore`, 3 `sindh`, 4 `karakoram`.
 */
export const house: NewFact[] = [
  company('indus'),
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
