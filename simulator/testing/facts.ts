import type { FactData, FactType, NewFact } from '#machines/contracts/facts.ts'

/** What a test says of a fact beyond what it must; the rest is filled in. */
type Said<T extends FactType> = Partial<FactData<T>>

const limits = {
  lowTemperatureThreshold: 2,
  highTemperatureThreshold: 8,
  lowHumidityThreshold: 20,
  highHumidityThreshold: 80,
}

export const company = (companyId: string, said: Said<'company.registered'> = {}): NewFact => ({
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
    ...said,
  },
})

export const group = (
  groupId: string,
  companyId: string,
  parentId: string | null,
  said: Said<'group.created'> = {},
): NewFact => ({
  type: 'group.created',
  at: 0,
  companyId,
  data: { groupId, companyId, parentId, name: groupId, description: '', ...limits, ...said },
})

export const user = (
  userId: string,
  companyId: string,
  groupId: string,
  userName: string,
  said: Said<'user.created'> = {},
): NewFact => ({
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
    ...said,
  },
})

export const device = (
  no: number,
  imei: string,
  companyId: string,
  groupId: string | null,
  said: Said<'device.registered'> = {},
): NewFact => ({
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
    ...said,
  },
})
