import {
  any,
  array,
  boolean,
  type Infer,
  object,
  type as open,
  optional,
  partial,
  pattern,
  type Struct,
  size,
  string,
} from 'superstruct'
import { named } from '../described.ts'
import { ChangeHistory } from '../entities/changes.ts'
import { DrivingScoreSetting } from '../entities/companies.ts'
import { Evaluation } from '../entities/evaluation.ts'
import { GroupInfo, type GroupNode } from '../entities/group-info.ts'
import { FatigueThreshold, Group } from '../entities/groups.ts'
import { Thresholds } from '../entities/thresholds.ts'
import { Count, Id, Imei, listOf } from '../scalars.ts'
import { AsOf, PageAsOf } from './as-of.ts'
import { calls, LIST_BODY_BYTES } from './call.ts'

const ById = object({ id: Id })
const ByCompany = object({ companyId: Id })
/** As it is typed: `machines/rules/group-form.ts` says what is wrong with it, in the words the form uses. */
const Typed = size(string(), 0, 2000)

/** How deleting a group went: what was in it is in `to` now, the group above. */
const GroupDeleted = open({
  message: string(),
  to: open({ _id: Id, name: string() }),
  moved: open({ devices: Count, users: Count, groups: Count }),
})

const DrivingScore = open({ drivingScoreSetting: open(DrivingScoreSetting.schema), version: string() })

/** Vehicles of a group as checklists show them: nested, each with its devices. */
const Vehicle = open({
  _id: Id,
  imei: Imei,
  name: string(),
  plateNumber: string(),
  vehicleMakeAndModel: string(),
})
export type GroupVehicles = GroupNode & { vehicles: Infer<typeof Vehicle>[]; child: GroupVehicles[] }
const GroupVehicles: Struct<GroupVehicles, unknown> = named('GroupVehicles', () =>
  open({ _id: Id, name: string(), vehicles: array(Vehicle), child: array(GroupVehicles) }),
)

export const GROUP_CALLS = calls({
  subgroups: {
    method: 'GET',
    path: '/groups/{groupId}/subgroups',
    summary: 'Groups directly below, each with all below it.',
    access: 'session',
    params: object({ groupId: Id }),
    answer: array(Group),
  },
  group: {
    method: 'GET',
    path: '/groups/{id}',
    summary: 'One group with all below it, its account manager and partner.',
    access: 'session',
    params: ById,
    query: AsOf,
    answer: Group,
    versioned: true,
  },
  groupInfo: {
    method: 'GET',
    path: '/groups/{id}/info',
    summary: 'What the header says of a group, without its devices.',
    access: 'session',
    params: ById,
    answer: GroupInfo,
  },
  groupHistory: {
    method: 'GET',
    path: '/groups/{id}/history',
    summary: 'Who changed what of a group, newest first; for managers.',
    access: 'session',
    params: ById,
    query: PageAsOf,
    answer: ChangeHistory,
  },
  renameGroup: {
    method: 'PUT',
    path: '/groups/{id}',
    summary:
      "Name, description, thresholds, how they are evaluated: what is given is changed. The way to change the visitor's own group.",
    access: 'session',
    params: ById,
    body: object({
      name: optional(Typed),
      description: optional(Typed),
      ...partial(Thresholds).schema,
      ...partial(Evaluation).schema,
    }),
    answer: Group,
    versioned: true,
  },
  updateGroup: {
    method: 'PUT',
    path: '/groups/{id}/update',
    summary:
      "Change a group below the visitor's own: name, description, thresholds, delay and margins, its devices, where it hangs. Devices that are not listed any more go to the group above.",
    access: 'session',
    params: ById,
    body: object({
      name: Typed,
      description: Typed,
      ...Thresholds.schema,
      ...partial(Evaluation).schema,
      things: optional(listOf(Imei, 200_000)),
      parentId: optional(Id),
    }),
    bodyBytes: LIST_BODY_BYTES,
    answer: Group,
    versioned: true,
  },
  updateGroupImage: {
    method: 'PUT',
    path: '/groups/{id}/image',
    summary: 'Give a group a picture: a PNG, JPEG, WebP, GIF, AVIF or TIFF under 5 MB.',
    access: 'session',
    params: ById,
    takesFile: true,
    answer: Group,
    versioned: true,
  },
  image: {
    method: 'GET',
    path: '/images/{image}',
    summary: 'A picture by the hash of what it shows. It never changes.',
    access: 'anyone',
    params: object({ image: pattern(string(), /^[A-Za-z0-9_-]{43}$/) }),
    answer: any(),
    media: 'image/webp',
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/groups/{id}',
    summary: 'Delete a group; its devices, users and the groups below it go to the group above.',
    access: 'session',
    params: ById,
    answer: GroupDeleted,
  },
  fatigueThreshold: {
    method: 'GET',
    path: '/groups/{id}/fatigue-threshold',
    summary: 'How long somebody may drive without rest, minutes.',
    access: 'session',
    params: ById,
    answer: FatigueThreshold,
  },
  updateFatigueThreshold: {
    method: 'PUT',
    path: '/groups/{id}/fatigue-threshold',
    summary: 'Change how long somebody may drive without rest, minutes: what is given is changed.',
    access: 'session',
    setsState: true,
    params: ById,
    body: object({
      enabled: optional(boolean()),
      drivingMinutes: optional(Count),
      restMinutes: optional(Count),
    }),
    answer: open({ message: string(), ...FatigueThreshold.schema }),
  },
  createGroup: {
    method: 'POST',
    path: '/groups',
    summary: 'Create a group below another.',
    access: 'session',
    body: object({
      /** '' where none was chosen */
      parentId: size(string(), 0, 64),
      name: Typed,
      companyId: Id,
      things: optional(listOf(Imei, 200_000)),
      description: Typed,
      ...Thresholds.schema,
      ...partial(Evaluation).schema,
    }),
    bodyBytes: LIST_BODY_BYTES,
    answer: Group,
    status: 201,
  },
  companyGroups: {
    method: 'GET',
    path: '/groups/company/{companyId}',
    summary: "The visitor's groups of a company, as a tree.",
    access: 'session',
    params: ByCompany,
    query: AsOf,
    answer: array(Group),
  },
  vehicleGroups: {
    method: 'GET',
    path: '/groups/{id}/vehicles/groups',
    summary: 'Groups with their vehicles, for checklists.',
    access: 'session',
    params: ById,
    answer: array(GroupVehicles),
  },
  driverGroups: {
    method: 'GET',
    path: '/groups/{id}/drivers/groups',
    summary: 'Groups with their users who drive (role driver), for checklists.',
    access: 'session',
    params: ById,
    answer: array(open({ _id: Id, name: string(), drivers: array(open({ _id: Id, name: string() })) })),
  },
  drivingScoreSetting: {
    method: 'GET',
    path: '/companies/{companyId}/drivingScoreSetting',
    summary: 'Which driving events count towards a score.',
    access: 'session',
    params: ByCompany,
    answer: DrivingScore,
    versioned: true,
  },
  updateDrivingScoreSetting: {
    method: 'PUT',
    path: '/companies/{companyId}/drivingScoreSetting',
    summary: 'Change which driving events count.',
    access: 'session',
    params: ByCompany,
    body: object({ drivingScoreSetting: DrivingScoreSetting }),
    answer: DrivingScore,
    versioned: true,
  },
})
