import { useCallback } from 'react'
import { violationBit } from '#machines/contracts/device-state.ts'
import type { Desk, Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import { kindKey } from '#machines/projections/incidents.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { SEVERITY_OF } from '../../read-model/severity.ts'

/** What is open of a device, the worst kind of it, and what shelves that. */
export type DeviceIncident = { incident: Incident; shelving: Shelving | undefined }

const NOTHING = createStore(undefined)
const severityOf = ({ type }: Incident): number =>
  type === 'offline' ? 0 : (SEVERITY_OF[violationBit(type)] as number)

/** Of each device its worst open violation, else that it is lost, live; a device without either has none. */
export function useDeviceIncidents(): ReadonlyMap<string, DeviceIncident> {
  const desk = useStore(useRoot().live ?? NOTHING)?.desk
  const known = useStore(desk?.known ?? NOTHING)
  return known === undefined ? NONE : worstOf(known)
}

/** Of each state of the desk once, however many show it. */
function worstOf(known: Desk): ReadonlyMap<string, DeviceIncident> {
  const kept = worsts.get(known)
  if (kept !== undefined) return kept
  const shelvings = new Map(known.shelved.map((one) => [kindKey(one), one]))
  const worst = new Map<string, DeviceIncident>()
  for (const incident of known.open) {
    const other = worst.get(incident.imei)?.incident
    if (other === undefined || severityOf(incident) > severityOf(other))
      worst.set(incident.imei, {
        incident,
        shelving: shelvings.size === 0 ? undefined : shelvings.get(kindKey(incident)),
      })
  }
  worsts.set(known, worst)
  return worst
}
const worsts = new WeakMap<Desk, ReadonlyMap<string, DeviceIncident>>()
const NONE: ReadonlyMap<string, DeviceIncident> = new Map()

/** The same of one device. */
export function useIncidentOf(): (imei: string) => DeviceIncident | undefined {
  const worst = useDeviceIncidents()
  return useCallback((imei) => worst.get(imei), [worst])
}
