import type { Group } from '#machines/contracts/entities/groups.ts'

/** A group for a test, with nothing in it by default. */
export function groupOf(id: string, more: Partial<Group> = {}): Group {
  return {
    _id: id,
    id,
    name: id,
    description: '',
    image: null,
    parentId: null,
    companyId: 'indus',
    totalVehicles: 0,
    assignedVehicles: 0,
    unAssignedvehicles: 0,
    users: 0,
    highTemperatureThreshold: 8,
    lowTemperatureThreshold: 2,
    highHumidityThreshold: 90,
    lowHumidityThreshold: 40,
    tmin: -30,
    tmax: 70,
    hmin: -40,
    hmax: 100,
    version: '1',
    child: [],
    ...more,
  }
}
