import {
  IMPORT_COLUMNS,
  type ImportColumn,
  type LineRemark,
} from '#machines/contracts/entities/device-records.ts'
import type { DeviceType } from '#machines/contracts/scalars.ts'
import { type Directory, deviceByImei, groupsWithin, isWithin } from '#machines/projections/directory.ts'
import { offsetOf } from '#machines/rules/clock-offset.ts'
import { hasCheckDigit } from '#machines/rules/imei.ts'
import { imeiTaken, isUsedBy, type Registrar } from './register-devices.ts'

/** One line of a list as it was written; `line`: its number in the file, the heading is 1. Missing cells are ''. */
export type ImportRow = { line: number } & Record<ImportColumn, string>

/** A device that would be registered. */
export type PlannedDevice = {
  imei: string
  name: string
  plateNumber: string
  type: DeviceType
  vehicleMakeAndModel: string
  groupId: string
  calibrationDue: string | null
  /** minutes ahead of UTC */
  clockOffset: number
}

/**
 * What a list would do. `devices`: to be registered. `known`: lines of devices that are registered already, which change nothing;
 * `differing`: those of them that say something else than is known. `faults`: lines that cannot be taken. `warnings`: lines that are
 * taken though something is odd.
 */
export type ImportPlan = {
  devices: PlannedDevice[]
  known: number
  differing: number
  faults: LineRemark[]
  warnings: LineRemark[]
}

/** A plan in the making: a long list is added in slices that let other work through. */
export type Planning = {
  readonly plan: ImportPlan
  readonly directory: Directory
  readonly who: Registrar
  /** by path in words: its group, or null where several are called so */
  readonly groups: ReadonlyMap<string, string | null>
  /** IMEI → the line that named it first */
  readonly lines: Map<string, number>
}

/** Which cell of a line stands for what; the reason where the heading lacks one that is needed. */
export function columnsOf(heading: readonly string[]): Partial<Record<ImportColumn, number>> | string {
  const columns: Partial<Record<ImportColumn, number>> = {}
  for (const [index, title] of heading.entries()) {
    const column = IMPORT_COLUMNS.find(
      (name) => plain(name) === plain(title) || OTHER_NAMES[plain(title)] === name,
    )
    if (column === undefined) continue
    if (columns[column] !== undefined) return `Two columns are called ${column}`
    columns[column] = index
  }
  const missing = (['IMEI', 'Name'] as const).filter((name) => columns[name] === undefined)
  return missing.length === 0
    ? columns
    : `The first line has no column ${missing.join(' and none ')}. Take the template’s first line.`
}

/** What headings say for the same, as `plain` has it. */
const OTHER_NAMES: Readonly<Record<string, ImportColumn>> = {
  'plate number': 'Plate',
  'license plate': 'Plate',
  make: 'Make and model',
  model: 'Make and model',
  'make & model': 'Make and model',
  'calibration due date': 'Calibration due',
  clock: 'Tracker clock',
  'time zone': 'Tracker clock',
}

const plain = (text: string): string =>
  text
    .normalize('NFC')
    .trim()
    .replaceAll(/[\s_]+/g, ' ')
    .toLowerCase()

/** A line of the file by its columns; undefined for a blank one. */
export function rowOf(
  cells: readonly string[],
  columns: Partial<Record<ImportColumn, number>>,
  line: number,
): ImportRow | undefined {
  if (cells.every((cell) => cell.trim() === '')) return undefined
  const row = { line } as ImportRow
  for (const column of IMPORT_COLUMNS) {
    const index = columns[column]
    row[column] = index === undefined ? '' : (cells[index] ?? '').trim()
  }
  return row
}

/**
 * What a list of devices would do, by what is registered: pure, nothing is changed. The same list after it was taken plans nothing.
 * @param who in whose company, and below which group
 */
export function planImport(rows: Iterable<ImportRow>, directory: Directory, who: Registrar): ImportPlan {
  const planning = startPlan(directory, who)
  for (const row of rows) planRow(planning, row)
  return planning.plan
}

/** A plan without lines, which `planRow` fills. */
export const startPlan = (directory: Directory, who: Registrar): Planning => ({
  plan: { devices: [], known: 0, differing: 0, faults: [], warnings: [] },
  directory,
  who,
  groups: groupPaths(directory, who.topId),
  lines: new Map(),
})

/** Adds one line to the plan. */
export function planRow(planning: Planning, row: ImportRow): void {
  const { plan, directory, who, lines } = planning
  const imei = row.IMEI.replaceAll(/[\s-]/g, '')
  const remark = (reason: string): LineRemark => ({ line: row.line, imei: row.IMEI.slice(0, 40), reason })
  const fault = imeiFault(row.IMEI, imei, lines)
  if (fault !== undefined) {
    plan.faults.push(remark(fault))
    return
  }
  lines.set(imei, row.line)
  const device = deviceOf(planning, imei, row)
  const known = deviceByImei(directory, imei)
  const isKnown = known !== undefined && isUsedBy(known, imei)
  const reason = imeiTaken(directory, imei, who)
  if (isKnown && known.companyId === who.companyId && isWithin(directory, known.groupId, who.topId)) {
    plan.known++
    if (typeof device !== 'string' && differs(known, device)) plan.differing++
    return
  }
  if (reason !== undefined || typeof device === 'string') {
    plan.faults.push(remark(reason ?? (device as string)))
    return
  }
  if (!hasCheckDigit(imei))
    plan.warnings.push(
      remark(
        imei.length === 15
          ? 'The last digit is not the check digit of this IMEI: one digit may be mistyped'
          : `This IMEI has ${imei.length} digits; most have 15`,
      ),
    )
  plan.devices.push(device)
}

function imeiFault(written: string, imei: string, lines: ReadonlyMap<string, number>): string | undefined {
  if (imei === '') return 'The IMEI is missing'
  if (/^\d+([.,]\d+)?e\+?\d+$/i.test(imei))
    return 'The spreadsheet has rounded this IMEI: make its column text and enter it again'
  if (!/^\d{14,17}$/.test(imei)) return `“${written.slice(0, 40)}” is no IMEI: 15 digits are expected`
  const first = lines.get(imei)
  return first === undefined ? undefined : `This IMEI is in line ${first} already`
}

/** The device of a line, or why it is none. */
function deviceOf({ groups }: Planning, imei: string, row: ImportRow): PlannedDevice | string {
  const { Name: name, Plate: plateNumber } = row
  const vehicleMakeAndModel = row['Make and model']
  if (name === '') return 'The name is missing'
  for (const [column, text] of [
    ['name', name],
    ['plate', plateNumber],
    ['make and model', vehicleMakeAndModel],
  ])
    if ((text as string).length > 200) return `The ${column} is longer than 200 characters`
  const type = plain(row.Type) === '' ? 'vehicle' : plain(row.Type)
  if (type !== 'vehicle' && type !== 'warehouse')
    return `“${row.Type.slice(0, 40)}” is no type: write vehicle or warehouse`
  const groupId = groups.get(pathKey(row.Group))
  if (groupId === undefined) return `There is no group “${row.Group.slice(0, 200)}”`
  if (groupId === null)
    return `Several groups are called “${row.Group.slice(0, 200)}”: write the path, e.g. North / Depot`
  const calibrationDue = row['Calibration due']
  if (calibrationDue !== '' && !isDay(calibrationDue))
    return `“${calibrationDue.slice(0, 40)}” is no day: write it as 2027-03-31`
  const clockOffset = offsetOf(row['Tracker clock'])
  if (clockOffset === undefined)
    return `“${row['Tracker clock'].slice(0, 40)}” is no clock: write it as UTC+05:00, or leave it empty`
  return {
    imei,
    name,
    plateNumber,
    type,
    vehicleMakeAndModel,
    groupId,
    calibrationDue: calibrationDue === '' ? null : calibrationDue,
    clockOffset,
  }
}

function differs(
  known: PlannedDevice | { [K in keyof PlannedDevice]: unknown },
  planned: PlannedDevice,
): boolean {
  return (Object.keys(planned) as (keyof PlannedDevice)[]).some((field) => known[field] !== planned[field])
}

const isDay = (text: string): boolean => {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const at = Date.parse(`${text}T00:00:00Z`)
  return Number.isFinite(at) && new Date(at).toISOString().startsWith(text)
}

const pathKey = (path: string): string => path.split('/').map(plain).join('/')

/**
 * By what a group may be called in a list: its path from the top group, with the top group or without it, and its name alone. ''
 * is the top group.
 */
function groupPaths(directory: Directory, topId: string): Map<string, string | null> {
  const paths = new Map<string, string | null>()
  const names = new Map<string, string | null>()
  const keys = new Map<string, string>()
  const enter = (into: Map<string, string | null>, key: string, id: string): void => {
    into.set(key, into.has(key) && into.get(key) !== id ? null : id)
  }
  for (const group of groupsWithin(directory, topId)) {
    const key = pathKey(group.name)
    const above = group._id === topId ? undefined : keys.get(group.parentId ?? '')
    const path = above === undefined ? '' : above === '' ? key : `${above}/${key}`
    keys.set(group._id, path)
    enter(paths, path, group._id)
    enter(paths, path === '' ? key : `${pathKey(directory.groups.get(topId)?.name ?? '')}/${path}`, group._id)
    enter(names, key, group._id)
  }
  // a path says more than a name
  for (const [key, id] of names) if (!paths.has(key)) paths.set(key, id)
  return paths
}
