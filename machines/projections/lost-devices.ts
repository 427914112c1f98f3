import type { Incident } from '../contracts/entities/incidents.ts'
import type { Fact, FactOf } from '../contracts/facts.ts'
import { endIn, iso } from './over-list.ts'

/** Devices that are lost and that nobody has are listed up to so many, the newest; the others are counted. */
export const MOST_LOST = 500
/** Devices that were lost and are back are kept up to so many, of all companies. */
export const MOST_BACK = 10_000

/** Devices that are lost, among the incidents that last. */
export type LostDevices = {
  /** by incident, in the order they opened */
  open: Map<string, Incident>
  /** by imei: the incident that says that it is lost */
  lost: Map<string, string>
  /** those that are heard again, oldest end first */
  back: Incident[]
  /** so many more are lost than are in it: what is answered is bounded */
  moreLost: number
  /** what is over is kept for so long, ms; left out: `OVER_FOR` */
  overFor?: number
}

export const noLostDevices = (): Omit<LostDevices, 'open'> => ({ lost: new Map(), back: [], moreLost: 0 })

/** What the incident is called that a fact opened, if it is the one by which a device was lost. */
export const lostIdOf = ({ id }: Pick<Fact, 'id'>): string => lostIdBy(id)
/** The same by the id of that fact, which is also how people name what they act on. */
export const lostIdBy = (factId: string): string => `lost-${factId}`

/**
 * A device that is not online any more is lost until it is: going on from offline to disconnected, or back, is the same loss.
 * One that was never heard cannot be lost. Late readings (`device-status.revised`) change nothing of it: they say where it was, not
 * that anybody heard it. Where not all that are lost are in it, one that is not and was not online before is one of those that are
 * counted alone; only a device that is heard for the first time then is taken for one, too.
 * @returns false where nothing is otherwise
 */
export function foldDeviceStatus(devices: LostDevices, { id, at, data }: FactOf<'device-status.changed'>) {
  const { imei, from, to, heardAt } = data
  const known = devices.lost.get(imei)
  const isCountedAlone = known === undefined && from !== 'online' && devices.moreLost > 0
  if (to === 'online') {
    if (isCountedAlone) {
      devices.moreLost--
      return
    }
    if (known === undefined) return false
    devices.lost.delete(imei)
    const incident = devices.open.get(known) as Incident
    devices.open.delete(known)
    endIn(devices.back, incident, at, devices.overFor)
    // not one by one: moving all the rest costs as much as they are
    if (devices.back.length > 1.1 * MOST_BACK) devices.back.splice(0, devices.back.length - MOST_BACK)
    return
  }
  if (known !== undefined || isCountedAlone) return false
  const violationId = lostIdOf({ id })
  devices.lost.set(imei, violationId)
  devices.open.set(violationId, {
    violationId,
    notificationId: id,
    imei,
    type: 'offline',
    threshold: null,
    value: null,
    since: iso(heardAt ?? at),
    openedAt: iso(at),
    clearedAt: null,
    acknowledged: null,
    holder: null,
  })
}

/** Incidents that are listed, and how many are not: the longest lost of those that nobody has, beyond so many. */
export function listedOf(open: readonly Incident[]): { listed: Incident[]; more: number } {
  let more = -MOST_LOST
  for (const one of open) if (isNobodysLoss(one)) more++
  let left = Math.max(0, more)
  const listed = open.filter((one) => {
    if (left === 0 || !isNobodysLoss(one)) return true
    left--
    return false
  })
  return { listed, more: open.length - listed.length }
}

const isNobodysLoss = ({ type, holder, acknowledged }: Incident): boolean =>
  type === 'offline' && holder === null && acknowledged === null

/** Whether a fact is about devices that are lost, also about one that is not listed. */
export const isOfLost = ({ type, data }: Fact): boolean =>
  type === 'device-status.changed' || type === 'device.retired' || ('type' in data && data.type === 'offline')
