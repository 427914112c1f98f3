import type { BodyOf } from '#machines/contracts/calls/call.ts'
import type { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { AS_COMPANY, type Evaluation } from '#machines/contracts/entities/evaluation.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import type { Thresholds } from '#machines/contracts/entities/thresholds.ts'
import { sameValue } from '#machines/record-form/merge.ts'
import { groupFaults } from '#machines/rules/group-form.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { EVALUATION_LABELS } from '../../format/group-words.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { groupThere } from '../../read-model/group-there.ts'

/** What the form of a group holds. `parentId`: '' where none is chosen yet. `things`: imeis of the devices directly in it. */
export type GroupFields = {
  name: string
  description: string
  parentId: string
  things: readonly string[]
} & Thresholds &
  Evaluation

export const LABELS: Record<keyof GroupFields, string> = {
  name: 'Name',
  description: 'Description',
  parentId: 'Parent Group',
  things: 'Devices',
  lowTemperatureThreshold: 'Low temperature',
  highTemperatureThreshold: 'High temperature',
  lowHumidityThreshold: 'Low humidity',
  highHumidityThreshold: 'High humidity',
  ...EVALUATION_LABELS,
}

const BLANK: GroupFields = {
  name: '',
  description: '',
  parentId: '',
  things: [],
  lowTemperatureThreshold: 0,
  highTemperatureThreshold: 0,
  lowHumidityThreshold: 0,
  highHumidityThreshold: 0,
  ...AS_COMPANY,
}

/** The form of a group that does not exist yet. */
export const newGroup = (): { fields: GroupFields; version: null } => ({ fields: BLANK, version: null })

/** The form of a group as its GET answers it. */
export function readGroup(group: Group): { fields: GroupFields; version: string } {
  const { name, description, parentId, things = [], version } = group
  return {
    fields: {
      name,
      description,
      parentId: parentId ?? '',
      things,
      ...thresholdsOf(group),
      ...evaluationOf(group),
    },
    version,
  }
}

/**
 * What is wrong with it; `group`: its bounds, or those of the group it is to be below. A parent that went meanwhile is to be chosen
 * anew.
 */
export const faultsOf = (fields: GroupFields, group: Group, fleet: Pick<Fleet, 'seq' | 'groups'>): Fault[] =>
  groupFaults({ ...fields, parentId: groupThere(fleet, fields.parentId) }, group)

type GroupCreation = BodyOf<(typeof GROUP_CALLS)['createGroup']>
export type GroupChange = BodyOf<(typeof GROUP_CALLS)['updateGroup']>

/** What is told of a new group: the documents' fields, and the delay and margins that are its own. */
export const creationOf = (fields: GroupFields, companyId: string): GroupCreation => ({
  ...toSend(fields, AS_COMPANY),
  parentId: fields.parentId,
  companyId,
  things: [...fields.things],
})

/** What is told of a change: devices and place only where they are others, so that nobody else's are touched. */
export function changeOf(fields: GroupFields, group: Group): GroupChange {
  const { things, parentId } = fields
  const before = readGroup(group).fields
  return {
    ...toSend(fields, before),
    ...(!sameValue(things, before.things) && { things: [...things] }),
    ...(parentId !== before.parentId && { parentId }),
  }
}

/** Its texts and thresholds; the delay and margins only where they are others than before. */
function toSend(fields: GroupFields, before: Evaluation) {
  const keys = (Object.keys(AS_COMPANY) as (keyof Evaluation)[]).filter((key) => fields[key] !== before[key])
  const evaluation: Partial<Evaluation> = Object.fromEntries(keys.map((key) => [key, fields[key]]))
  return {
    name: fields.name.trim(),
    description: fields.description.trim(),
    ...thresholdsOf(fields),
    ...evaluation,
  }
}

/**
 * The devices chosen, without those that are in the fleet no more: for one of them the server would refuse all.
 * @param before those that are in the group, whose going the server tells as a conflict
 */
export function inFleet(
  things: readonly string[],
  { seq, names }: Pick<Fleet, 'seq' | 'names'>,
  before: readonly string[] = [],
): string[] {
  const had = new Set(before)
  return things.filter((imei) => seq === undefined || had.has(imei) || names.rowOf(imei) >= 0)
}

const thresholdsOf = ({
  lowTemperatureThreshold,
  highTemperatureThreshold,
  lowHumidityThreshold,
  highHumidityThreshold,
}: Thresholds): Thresholds => ({
  lowTemperatureThreshold,
  highTemperatureThreshold,
  lowHumidityThreshold,
  highHumidityThreshold,
})

const evaluationOf = ({
  violationDelaySeconds = null,
  clearMarginTemperature = null,
  clearMarginHumidity = null,
}: Group): Evaluation => ({ violationDelaySeconds, clearMarginTemperature, clearMarginHumidity })
