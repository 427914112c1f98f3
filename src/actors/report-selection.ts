import type { DeviceType } from '#machines/contracts/scalars.ts'
import type { Picked, ReportChoice } from '#machines/rules/report-request.ts'
import type { Fleet } from '../read-model/fleet.ts'

type Chosen = Pick<ReportChoice, 'groups' | 'devices'>
type Devices = Pick<Fleet, 'columns' | 'names' | 'groups'>

const KINDS: readonly DeviceType[] = ['vehicle', 'warehouse']

/**
 * 1 for each row that is chosen: by itself, or because it is directly in a group that is ticked.
 * @param allKind what ALL stands for; undefined: every device
 */
export function chosenRows(
  { columns, names, groups: known }: Devices,
  { groups, devices }: Chosen,
  allKind: DeviceType | undefined,
): Uint8Array {
  const isTicked = Uint8Array.from(known.list, ({ _id }) => (groups.has(_id) ? 1 : 0))
  const isOfAll = (row: number): boolean =>
    devices === 'all' && (allKind === undefined || KINDS[columns.kind[row] as number] === allKind)
  const chosen = new Uint8Array(columns.size)
  for (let row = 0; row < columns.size; row++)
    if (isTicked[columns.group[row] as number] === 1 || isOfAll(row)) chosen[row] = 1
  if (devices !== 'all')
    for (const imei of devices) {
      const row = names.rowOf(imei)
      if (row >= 0) chosen[row] = 1
    }
  return chosen
}

/** How many devices are chosen, each counted once. */
export const countChosen = (...given: Parameters<typeof chosenRows>): number =>
  chosenRows(...given).reduce((sum, one) => sum + one, 0)

/**
 * The same as a call takes it, where a group stands for all below it too: so a group is named only when all below it is
 * ticked, and the devices of others one by one.
 */
export function selectionToSend(
  fleet: Devices,
  choice: Chosen,
  allKind: DeviceType | undefined,
): { things: string[]; groups: string[] } {
  const { columns, names, groups: known } = fleet
  const whole = new Set(
    [...choice.groups].filter((id) => known.within(id).every((below) => choice.groups.has(below))),
  )
  const inWhole = Uint8Array.from(known.list, ({ _id }) => (whole.has(_id) ? 1 : 0))
  const chosen = chosenRows(fleet, choice, allKind)
  const things: string[] = []
  for (let row = 0; row < columns.size; row++)
    if (chosen[row] === 1 && inWhole[columns.group[row] as number] !== 1) things.push(names.of(row, 'imei'))
  const topmost = known.list.filter(({ _id, parentId }) => whole.has(_id) && !whole.has(parentId ?? ''))
  return { things, groups: topmost.map(({ _id }) => _id) }
}

/** The ticks after groups were ticked or let go: their vehicles go with them. */
export function withGroups(fleet: Devices, { groups, devices }: Chosen, next: ReadonlySet<string>): Chosen {
  const ticked = next.difference(groups)
  const letGo = groups.difference(next)
  const vehicles = new Set(devices === 'all' ? everyVehicle(fleet) : devices)
  eachVehicle(fleet, (imei, group) => {
    if (ticked.has(group)) vehicles.add(imei)
    if (letGo.has(group)) vehicles.delete(imei)
  })
  return { groups: next, devices: vehicles }
}

/** The ticks after vehicles were ticked or let go: a group that lacks one is no longer ticked, nor those above it. */
export function withVehicles(fleet: Devices, { groups }: Pick<Chosen, 'groups'>, devices: Picked): Chosen {
  const { list } = fleet.groups
  if (devices === 'all') return { groups: new Set(list.map(({ _id }) => _id)), devices }
  const parents = new Map(list.map(({ _id, parentId }) => [_id, parentId]))
  const left = new Set(groups)
  eachVehicle(fleet, (imei, group) => {
    if (!devices.has(imei))
      for (let id: string | null | undefined = group; id; id = parents.get(id)) left.delete(id)
  })
  return { groups: left, devices }
}

function everyVehicle(fleet: Devices): string[] {
  const imeis: string[] = []
  eachVehicle(fleet, (imei) => imeis.push(imei))
  return imeis
}

function eachVehicle({ columns, names, groups }: Devices, call: (imei: string, group: string) => void): void {
  for (let row = 0; row < columns.size; row++)
    if (columns.kind[row] === 0)
      call(names.of(row, 'imei'), groups.list[columns.group[row] as number]?._id ?? '')
}
