import {
  type Company,
  type Device,
  type Directory,
  deviceByImei,
  type Group,
  isWithin,
  type User,
} from '#machines/projections/directory.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { notFound } from './refusals.ts'

/**
 * What a visitor sees: their own group, everything below it, and nothing else.
 * What they do not see is a 404, the same as what does not exist.
 */
export type VisibleScope = ReturnType<typeof createVisibleScope>

/** @throws ApiError 404, each of them, where it is not there or not within the visitor's own group */
export function createVisibleScope(directory: Directory) {
  return {
    group(visitor: Visitor, id: string): Group {
      const group = directory.groups.get(id)
      if (group === undefined || !isWithin(directory, id, visitor.groupId)) throw notFound()
      return group
    },
    device(visitor: Visitor, imei: string): Device {
      const device = deviceByImei(directory, imei)
      if (device === undefined || !isWithin(directory, device.groupId, visitor.groupId)) throw notFound()
      return device
    },
    user(visitor: Visitor, id: string): User {
      const user = directory.users.get(id)
      if (user === undefined || !isWithin(directory, user.groupId, visitor.groupId)) throw notFound()
      return user
    },
    company(visitor: Visitor, id: string): Company {
      const company = directory.companies.get(id)
      if (company === undefined || id !== visitor.companyId) throw notFound()
      return company
    },
  }
}
