import type { FleetGroup } from '#machines/contracts/fleet-snapshot.ts'
import { toStored } from '#machines/contracts/readings.ts'

/** The visitor's groups in the order of their index, with their limits as columns. */
export type Groups = {
  readonly list: readonly FleetGroup[]
  /** -1 where there is none */
  indexOf(id: string): number
  /** ids of a group and all below it */
  within(id: string): string[]
  /** °C × 100 and % × 100, by group index */
  readonly limits: {
    lowTemperature: Int16Array
    highTemperature: Int16Array
    lowHumidity: Int32Array
    highHumidity: Int32Array
  }
}

export function createGroups(list: readonly FleetGroup[]): Groups {
  const indexes = new Map(list.map((group, i) => [group._id, i]))
  const below = new Map<string, string[]>()
  for (const { _id, parentId } of list)
    if (parentId !== null) below.set(parentId, [...(below.get(parentId) ?? []), _id])
  return {
    list,
    indexOf: (id) => indexes.get(id) ?? -1,
    within(id) {
      const found = indexes.has(id) ? [id] : []
      for (let i = 0; i < found.length; i++) found.push(...(below.get(found[i] as string) ?? []))
      return found
    },
    limits: {
      lowTemperature: Int16Array.from(list, (g) => toStored('temperature', g.lowTemperatureThreshold)),
      highTemperature: Int16Array.from(list, (g) => toStored('temperature', g.highTemperatureThreshold)),
      lowHumidity: Int32Array.from(list, (g) => toStored('humidity', g.lowHumidityThreshold)),
      highHumidity: Int32Array.from(list, (g) => toStored('humidity', g.highHumidityThreshold)),
    },
  }
}
