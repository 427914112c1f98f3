import type { DashboardActor } from '../../actors/dashboard-actor.ts'
import type { Fleet } from '../../read-model/fleet.ts'

const followed = new WeakSet<Fleet>()

/** Keeps a device selected and picked that has another tracker, and so another imei: its number is the same. For as long as the fleet lives. */
export function followReplaced(fleet: Fleet, dashboard: DashboardActor): void {
  if (followed.has(fleet)) return
  followed.add(fleet)
  /** device numbers of what is selected and picked, by imei */
  let numbers: ReadonlyMap<string, number> = new Map()
  let { structure } = fleet

  function learn(): void {
    const { selected, devices } = dashboard.getSnapshot().context
    const imeis = devices === 'all' ? [] : [...devices]
    if (selected !== null) imeis.push(selected)
    numbers = new Map(
      imeis.flatMap((imei) => {
        const row = fleet.names.rowOf(imei)
        const no = row < 0 ? numbers.get(imei) : fleet.columns.device[row]
        return no === undefined ? [] : [[imei, no]]
      }),
    )
  }

  function now(imei: string): string {
    const row = fleet.rowOf(numbers.get(imei) ?? -1)
    return row < 0 ? imei : fleet.names.of(row, 'imei')
  }

  learn()
  dashboard.subscribe(learn)
  fleet.subscribe(() => {
    if (structure === fleet.structure) return
    structure = fleet.structure
    const { selected, devices } = dashboard.getSnapshot().context
    const imei = selected && now(selected)
    const its = devices === 'all' ? devices : new Set([...devices].map(now))
    if (its !== 'all' && [...its].some((one) => !(devices as Set<string>).has(one)))
      dashboard.send({ type: 'devices.pick', devices: its })
    if (imei && imei !== selected) dashboard.send({ type: 'device.select', imei })
    learn()
  })
}
