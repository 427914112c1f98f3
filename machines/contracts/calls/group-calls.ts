import { array, boolean, object, type as open, optional, partial, string } from 'superstruct'
import { DrivingScoreSetting } from '../entities/companies.ts'
import { Group, GroupNode } from '../entities/groups.ts'
import { Thresholds } from '../facts.ts'
import { Finite, Id, Imei, Line, Text } from '../scalars.ts'
import { calls } from './call.ts'

const ById = object({ id: Id })
const ByCompany = object({ companyId: Id })
const Message = open({ message: string() })

/** Vehicles of a group as checklists show them: nested, each with its devices. */
const GroupVehicles = open({
  _id: Id,
  name: string(),
  vehicles: array(
    open({ _id: Id, imei: Imei, name: string(), plateNumber: string(), vehicleMakeAndModel: string() }),
  ),
  child: array(GroupNode),
})

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
    answer: Group,
  },
  renameGroup: {
    method: 'PUT',
    path: '/groups/{id}',
    summary: 'Name, image, thresholds: what is given is changed.',
    access: 'session',
    params: ById,
    body: object({ name: optional(Line), description: optional(Text), ...partial(Thresholds).schema }),
    answer: Group,
  },
  updateGroup: {
    method: 'PUT',
    path: '/groups/{id}/update',
    summary: "Change a group's name, description, devices and thresholds.",
    access: 'session',
    params: ById,
    body: object({ name: Line, things: array(Imei), description: Text, ...Thresholds.schema }),
    answer: Group,
  },
  deleteGroup: {
    method: 'DELETE',
    path: '/groups/{id}',
    summary: 'Delete a group.',
    access: 'session',
    params: ById,
    answer: Message,
  },
  fatigueThreshold: {
    method: 'PUT',
    path: '/groups/{id}/fatigue-threshold',
    summary: 'How long somebody may drive without rest.',
    access: 'session',
    params: ById,
    body: object({
      enabled: optional(boolean()),
      drivingMinutes: optional(Finite),
      restMinutes: optional(Finite),
    }),
    answer: Message,
  },
  createGroup: {
    method: 'POST',
    path: '/groups',
    summary: 'Create a group below another.',
    access: 'session',
    body: object({
      parentId: Id,
      name: Line,
      companyId: Id,
      things: array(Imei),
      description: Text,
      ...Thresholds.schema,
    }),
    answer: Group,
    status: 201,
  },
  companyGroups: {
    method: 'GET',
    path: '/groups/company/{companyId}',
    summary: "The visitor's groups of a company, as a tree.",
    access: 'session',
    params: ByCompany,
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
    summary: 'Groups with their drivers, for checklists.',
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
    answer: open({ drivingScoreSetting: open(DrivingScoreSetting.schema) }),
  },
  updateDrivingScoreSetting: {
    method: 'PUT',
    path: '/companies/{companyId}/drivingScoreSetting',
    summary: 'Change which driving events count.',
    access: 'session',
    params: ByCompany,
    body: object({ drivingScoreSetting: DrivingScoreSetting }),
    answer: open({ drivingScoreSetting: open(DrivingScoreSetting.schema) }),
  },
})
