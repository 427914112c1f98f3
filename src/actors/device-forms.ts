import { useCallback } from 'react'
import { any } from 'superstruct'
import { REGISTRATION_CALLS } from '#machines/contracts/calls/registration-calls.ts'
import { DeviceRecord } from '#machines/contracts/entities/device-records.ts'
import type { DeviceType } from '#machines/contracts/scalars.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { failureMessage } from '../effects/call-failures.ts'
import { leaveConfirmed } from '../effects/leaving.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { useRoot } from './use-root.ts'

/** The fields of a device as they are typed; `calibrationDue`: a day, '' for none; `clockOffset`: minutes ahead of UTC. */
export type DeviceFields = {
  name: string
  plateNumber: string
  vehicleMakeAndModel: string
  type: string
  groupId: string
  calibrationDue: string
  clockOffset: string
}
export type NewDeviceFields = DeviceFields & { imei: string }

const LONGEST = 200

function faultsOf({
  name,
  plateNumber,
  vehicleMakeAndModel,
  groupId,
  calibrationDue,
}: DeviceFields): Fault[] {
  const faults: Fault[] = []
  const say = (path: keyof DeviceFields, message: string) => faults.push({ path, message })
  if (name.trim() === '') say('name', 'This field is required')
  if (groupId === '') say('groupId', 'Select a group')
  for (const [path, text] of Object.entries({ name, plateNumber, vehicleMakeAndModel }))
    if (text.length > LONGEST) say(path as keyof DeviceFields, `At most ${LONGEST} characters`)
  if (calibrationDue !== '' && !/^\d{4}-\d\d-\d\d$/.test(calibrationDue))
    say('calibrationDue', 'This is no day')
  return faults
}

/** Digits alone: their check sum is not looked at. */
export const isImei = (text: string): boolean => /^\d{14,17}$/.test(text)

const bodyOf = (fields: DeviceFields) => ({
  name: fields.name.trim(),
  plateNumber: fields.plateNumber.trim(),
  vehicleMakeAndModel: fields.vehicleMakeAndModel.trim(),
  type: fields.type as DeviceType,
  groupId: fields.groupId,
  calibrationDue: fields.calibrationDue === '' ? null : fields.calibrationDue,
  clockOffset: Number(fields.clockOffset),
})

/** The form of a device that is to be added, at first to this group. */
export function useNewDeviceForm(groupId: string): RecordForm<{ imei: string }, NewDeviceFields> {
  const { http, toasts, goTo } = useRoot()
  return useRecordForm<{ imei: string }, NewDeviceFields>({
    load: async () => ({ imei: '' }),
    read: () => ({
      fields: {
        imei: '',
        name: '',
        plateNumber: '',
        vehicleMakeAndModel: '',
        type: 'vehicle',
        groupId,
        calibrationDue: '',
        clockOffset: '0',
      },
      version: null,
    }),
    check: (fields) => [
      ...(isImei(fields.imei.trim())
        ? []
        : [
            {
              path: 'imei',
              message: fields.imei.trim() === '' ? 'This field is required' : '15 digits are expected',
            },
          ]),
      ...faultsOf(fields),
    ],
    save: (fields, _, options) =>
      http.ask(
        REGISTRATION_CALLS.addDevice,
        { body: { imei: fields.imei.trim(), ...bodyOf(fields) } },
        options,
      ),
    contract: any(),
    onSaved: () => toasts.success('Device added successfully!'),
    onClose: () => goTo('/devices'),
  })
}

/** The form of a device there is. */
export function useDeviceForm(imei: string): RecordForm<DeviceRecord, DeviceFields> {
  const { http, toasts, goTo } = useRoot()
  return useRecordForm<DeviceRecord, DeviceFields>({
    load: (options) => http.ask(REGISTRATION_CALLS.deviceRecord, { params: { imei } }, options),
    read: ({
      name,
      plateNumber,
      vehicleMakeAndModel,
      type,
      groupId,
      calibrationDue,
      clockOffset,
      version,
    }) => ({
      fields: {
        name,
        plateNumber,
        vehicleMakeAndModel,
        type,
        groupId: groupId ?? '',
        calibrationDue: calibrationDue ?? '',
        clockOffset: String(clockOffset),
      },
      version,
    }),
    check: faultsOf,
    save: (fields, _, options) =>
      http.ask(REGISTRATION_CALLS.changeDevice, { params: { imei }, body: bodyOf(fields) }, options),
    contract: DeviceRecord,
    onSaved: () => toasts.success('Device updated successfully!'),
    onClose: () => goTo('/devices'),
  })
}

/** What else can be done to a device. Each answers why it was refused; undefined: it is done. */
export function useDeviceActions(imei: string) {
  const { http, toasts, goTo } = useRoot()
  const refusedBy = async (request: Promise<unknown>): Promise<string | undefined> => {
    try {
      await request
      return undefined
    } catch (error) {
      return failureMessage(error) ?? 'It could not be done'
    }
  }
  return {
    async replaceTracker(newImei: string): Promise<string | undefined> {
      const refused = await refusedBy(
        http.ask(REGISTRATION_CALLS.replaceTracker, { params: { imei }, body: { imei: newImei } }),
      )
      if (refused !== undefined) return refused
      toasts.success('The tracker was replaced')
      goTo(`/devices/${newImei}`)
      return undefined
    },
    async retire(reason: string): Promise<string | undefined> {
      const refused = await refusedBy(
        http.ask(REGISTRATION_CALLS.retireDevice, { params: { imei }, body: { reason } }),
      )
      if (refused !== undefined) return refused
      toasts.success('The device was retired')
      // what is typed of it cannot be saved any more
      leaveConfirmed(() => goTo('/devices'))
      return undefined
    },
  }
}

/** Adds a device that knocked; answers its IMEI where it was added. */
export function useTakeIn(): (imei: string) => Promise<string | undefined> {
  const { http, toasts } = useRoot()
  return useCallback(
    async (imei) => {
      try {
        await http.ask(REGISTRATION_CALLS.takeInDevice, { params: { imei } })
        toasts.success(`Device ${imei} was added`)
        return imei
      } catch (error) {
        const message = failureMessage(error)
        if (message !== undefined) toasts.error(message)
        return undefined
      }
    },
    [http, toasts],
  )
}
