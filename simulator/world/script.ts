/** The faults of a scenario's script and how its trackers send what they kept, device by device. */
import type { Scenario } from '#machines/contracts/scenario.ts'
import type { Backlog, BacklogSort, ScriptedFault } from '#machines/contracts/scenario-script.ts'
import type { Fault } from './faults.ts'
import { chance, keyOf, PURPOSE } from './random.ts'
import type { WorldDevice } from './roster.ts'

const MINUTE = 60_000

/**
 * Who gets what when. A device of a share is picked by its own key and what the fault is, so that no other device or fault
 * changes that.
 */
export function scriptedFaults(
  scenario: Scenario,
  devices: readonly WorldDevice[],
): { index: number; fault: Fault }[] {
  const start = Date.parse(scenario.start)
  return scenario.scriptedFaults.flatMap((scripted, i) => {
    const { fault, fleet, share, afterMinutes, forMinutes, aheadMinutes } = scripted
    const purpose = keyOf(0, `${fault}/${fleet ?? ''}/${share ?? ''}/${afterMinutes}`)
    const draw = (device: WorldDevice, n: number) => chance(device.key, PURPOSE.script, purpose + n)
    return devices
      .filter((device) => isMeant(scripted, device) && (share === undefined || draw(device, 0) < share))
      .map((device) => {
        const from = afterMinutes + (scripted.startsOverMinutes ?? 0) * draw(device, 1)
        const until = afterMinutes + forMinutes + (scripted.endsOverMinutes ?? 0) * draw(device, 2)
        return {
          index: device.index,
          fault: {
            id: share === undefined ? `script-${i + 1}` : `script-${i + 1}-${device.imei}`,
            imei: device.imei,
            fault,
            from: start + Math.round(from * MINUTE),
            until: start + Math.round(Math.max(from, until) * MINUTE),
            ...(aheadMinutes !== undefined && { aheadMinutes }),
          },
        }
      })
  })
}

/** How a device sends what it kept; undefined: oldest first. A device of a share is picked by its own key. */
export function backlogSortOf({ backlogs }: Scenario, device: WorldDevice): BacklogSort | undefined {
  return backlogs.find((backlog) => {
    const { sort, fleet, share } = backlog
    const draw = keyOf(0, `${sort}/${fleet ?? ''}/${share ?? ''}`)
    return (
      isMeant(backlog, device) && (share === undefined || chance(device.key, PURPOSE.backlog, draw) < share)
    )
  })?.sort
}

function isMeant({ fleet, device, imei }: ScriptedFault | Backlog, candidate: WorldDevice): boolean {
  return (
    (imei === undefined || candidate.imei === imei) &&
    (fleet === undefined || candidate.fleet.id === fleet) &&
    (device === undefined || candidate.ordinal === device)
  )
}
