import { array, type Infer, max, min, nullable, string, type } from 'superstruct'
import { Count, Finite, Id, Imei, IncidentKind, IsoInstant, ViolationType } from '../scalars.ts'
import { Shelving } from './incidents.ts'

const Share = max(min(Finite, 0), 1)
const Figure = min(Finite, 0)

/** The alarms of somebody in a time, in slots of ten minutes. `floodShare`: of the time. */
const Load = {
  told: Count,
  mean: Figure,
  peak: Count,
  floods: Count,
  floodShare: Share,
}

const AlarmDevice = type({
  imei: Imei,
  name: string(),
  plateNumber: string(),
  groupId: nullable(Id),
  groupName: string(),
})
export type AlarmDevice = Infer<typeof AlarmDevice>

/**
 * Whether the alarms of a group can be worked with: violations that were published, by when they were published, without those that repeat an
 * acknowledged one and those of a kind that was shelved. Slots are of ten minutes. Lists are bounded, counts are of all.
 */
export const AlarmHealth = type({
  /** the time that is counted: it begins with the record at the earliest */
  from: IsoInstant,
  to: IsoInstant,
  ...Load,
  /** the newest floods */
  floodList: array(type({ from: IsoInstant, to: IsoInstant, alarms: Count, peak: Count })),
  /** the devices with most alarms, and their share of all */
  worst: array(type({ ...AlarmDevice.schema, alarms: Count, share: Share })),
  worstShare: Share,
  /** a device and kind that opened three times and more within 60 minutes: how often at most, and how often in all */
  chatter: array(type({ ...AlarmDevice.schema, type: ViolationType, most: Count, alarms: Count })),
  chatterCount: Count,
  /** what is open for more than 24 h, longest first */
  stale: array(type({ ...AlarmDevice.schema, type: IncidentKind, openedAt: IsoInstant })),
  staleCount: Count,
  /** how many were acknowledged, and after how long half of these were; null: none was */
  acknowledged: Count,
  medianToAcknowledgeSeconds: nullable(Figure),
  /** what is shelved now, the first to end first */
  shelved: array(type({ ...AlarmDevice.schema, ...Shelving.schema })),
  shelvedCount: Count,
  /** each week, oldest first, the last ends now */
  weeks: array(
    type({ from: IsoInstant, to: IsoInstant, ...Load, medianToAcknowledgeSeconds: nullable(Figure) }),
  ),
  /** the alarms of users of the group and those below, most first: all of their own group */
  people: array(type({ userId: Id, name: string(), groupId: Id, groupName: string(), ...Load })),
  peopleCount: Count,
})
export type AlarmHealth = Infer<typeof AlarmHealth>
