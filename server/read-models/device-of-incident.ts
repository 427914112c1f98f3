import { type Device, type Directory, deviceByImei, deviceOfFact } from '#machines/projections/directory.ts'
import type { EventLog } from '../store/store.ts'

/** An incident by the notification that published it; what is shelved names none, and is of the device that has the IMEI now. */
type Incident = { imei: string; notificationId?: string }

/** The device of an incident: where another device had its IMEI at some time, that which the fact that published it is about. */
export function deviceOfIncident(
  directory: Directory,
  log: Pick<EventLog, 'readFacts'>,
  { imei, notificationId }: Incident,
): Device | undefined {
  if (notificationId === undefined || !directory.former.has(imei)) return deviceByImei(directory, imei)
  const [fact] = log.readFacts(Number(notificationId.slice(1)) - 1, { limit: 1 })
  return fact && deviceOfFact(directory, fact)
}
