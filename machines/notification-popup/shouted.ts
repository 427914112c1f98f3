import type { Notification } from '../contracts/entities/notifications.ts'
import type { NotificationSettings } from '../contracts/entities/users.ts'

/** Whether and how a live notification makes itself noticed, by what the visitor has set. Listed and counted it is anyway. */
export function shouted(
  { isRepeat, shelved, type, foundLate, clearedAt }: Notification,
  { warningPopup, buzzer, vehicleOffline, vehicleOnline }: NotificationSettings,
): { popup: boolean; sound: boolean } {
  const isWanted =
    !isRepeat &&
    shelved == null &&
    (type !== 'vehicleOffline' || vehicleOffline) &&
    (type !== 'vehicleOnline' || vehicleOnline)
  // found late and over by then: nobody need run
  const isPast = foundLate !== undefined && clearedAt !== null
  return { popup: isWanted && warningPopup, sound: isWanted && buzzer && !isPast }
}
