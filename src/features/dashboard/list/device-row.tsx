import { Pencil, Warehouse } from 'lucide-react'
import { type MouseEvent, memo } from 'react'
import { catchingUpText } from '#machines/rules/catching-up.ts'
import { formatHumidity } from '../../../format/numbers.ts'
import { glyphOf, isTrouble, statusWord, wordOf } from '../../../layout/glyph-of.ts'
import { Holder } from '../../../layout/incidents/holder.tsx'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import { lazyPart } from '../../../layout/lazy-part.ts'
import { isSame } from '../../../read-model/is-same.ts'
import { SEVERITY_OF } from '../../../read-model/severity.ts'
import { classNames } from '../../../ui/class-names.ts'
import { Age } from '../../../ui/relative-time.tsx'
import { StateGlyph } from '../../../ui/state-glyph.tsx'
import type { Device, DeviceActions } from '../device.ts'
import { DETAILS_HEIGHT } from './details-look.ts'
import type { ColumnKey } from './list-look.ts'
import { Temperature } from './temperature.tsx'

export type DeviceRowProps = {
  device: Device
  id: string
  /** from 1, of so many */
  position: number
  of: number
  /** the one that Tab comes to */
  isActive: boolean
  isSelected: boolean
  /** the link is lost: nothing is measured anew */
  isStale: boolean
  /** its worst open violation, and who has that */
  open: DeviceIncident | undefined
  /** px from the top of the list */
  top: number
  height: number
  /** chosen instead of the row's own look; none: that */
  columns: readonly ColumnKey[]
  isPicked: boolean
  /** its box is to be seen */
  isPickable: boolean
  /** pressed, or its box */
  onPress: (row: number, how: RowPress) => void
  actions: DeviceActions
}

/** `through`: all up to this one; `toggle`: this one is picked, or not any more */
export type RowPress = 'select' | 'through' | 'toggle'

const DeviceDetails = lazyPart(
  () => import('./device-details.tsx'),
  <div style={{ height: DETAILS_HEIGHT }} />,
)
const ColumnCells = lazyPart(() => import('./column-cells.tsx'))

const pencil = <Pencil size={16} aria-hidden />

/** A device in the list: how it is, what it measures, how old that is. Selected, it opens to its details. */
export const DeviceRow = memo(function DeviceRow(props: DeviceRowProps) {
  const { device, isActive, isSelected, open, actions, columns, isPicked, onPress } = props
  const isTable = columns.length > 0
  const isMarked = isSelected || isPicked
  const isFaded = props.isStale || statusWord(device.state) !== 'Online'
  return (
    <li
      aria-posinset={props.position}
      aria-setsize={props.of}
      className={classNames(
        'absolute inset-x-2 flex flex-col overflow-clip rounded-small',
        isMarked ? 'bg-accent-soft/70' : 'hover:bg-hover',
      )}
      style={{ transform: `translateY(${props.top}px)`, height: props.height }}
    >
      <div className="flex h-15 shrink-0 items-center pr-1">
        {props.isPickable && <PickBox device={device} isPicked={isPicked} onPress={onPress} />}
        <button
          type="button"
          id={props.id}
          tabIndex={isActive ? 0 : -1}
          aria-current={isSelected || undefined}
          onClick={(event) => onPress(device.row, pressOf(event))}
          onDoubleClick={() => actions.open(device.imei)}
          className="flex h-full min-w-0 flex-1 items-center gap-3 rounded-small pl-3 text-left -outline-offset-2"
        >
          <span className="flex w-4 shrink-0 justify-center">
            <StateGlyph state={glyphOf(SEVERITY_OF[device.state] as number)} size={14} isDecorative />
          </span>
          <span
            className={
              isTable
                ? classNames(
                    'sticky left-0 z-1 w-36 shrink-0 pr-1',
                    isMarked ? 'bg-accent-soft' : 'bg-surface',
                  )
                : 'min-w-0 flex-1'
            }
          >
            <NameAndState device={device} hasPlate={!isTable} />
          </span>
          {isTable ? (
            <span className="-ml-3 flex">
              <ColumnCells device={device} open={open} columns={columns} isFaded={isFaded} />
            </span>
          ) : (
            <span className={classNames('tabular shrink-0 text-right', isFaded && 'text-ink-faint')}>
              <Temperature device={device} isFaded={isFaded} className="block font-semibold" />
              <span className={classNames('block text-dense', !isFaded && 'text-ink-soft')}>
                {formatHumidity(device.humidity)}
              </span>
            </span>
          )}
          {open && !isTable && <Holder {...open} />}
        </button>
        {/* Plain, because rows are drawn anew with each reading: the kit's button costs as much as the rest of the row. */}
        <button
          type="button"
          aria-label={`Edit ${device.name}`}
          tabIndex={isActive ? 0 : -1}
          onClick={() => actions.edit(device.imei)}
          className="flex size-control shrink-0 items-center justify-center rounded-small text-ink-soft hover:bg-line hover:text-ink"
        >
          {pencil}
        </button>
      </div>
      {isSelected && <DeviceDetails device={device} actions={actions} />}
    </li>
  )
}, isSame)

function PickBox({ device, isPicked, onPress }: Pick<DeviceRowProps, 'device' | 'isPicked' | 'onPress'>) {
  return (
    <label className="flex h-full w-6 shrink-0 cursor-pointer items-center pl-2">
      <input
        type="checkbox"
        aria-label={`Pick ${device.name}`}
        tabIndex={-1}
        checked={isPicked}
        onChange={() => {}}
        onClick={(event) => onPress(device.row, event.shiftKey ? 'through' : 'toggle')}
        className="size-4 accent-accent"
      />
    </label>
  )
}

/** `hasPlate`: the plate number stands beside the name */
function NameAndState({ device, hasPlate }: { device: Device; hasPlate: boolean }) {
  const severity = SEVERITY_OF[device.state] as number
  return (
    <>
      <span className="flex items-center gap-1.5 font-medium">
        <span className="truncate">{device.name}</span>
        {hasPlate && <span className="shrink-0 font-normal text-dense text-ink-faint">{device.plate}</span>}
        {device.isWarehouse && (
          <Warehouse size={14} aria-label="Warehouse" className="shrink-0 text-ink-faint" />
        )}
      </span>
      <span className="block truncate text-dense text-ink-soft">
        {isTrouble(severity) && <span className={severityInk(severity)}>{`${wordOf(device.state)} · `}</span>}
        {`${statusWord(device.state)} · `}
        {device.at === null ? 'never heard' : <Age at={device.at} />}
      </span>
      {device.progress && (
        <span className="block truncate text-accent text-dense leading-tight first-letter:uppercase">
          {catchingUpText(device.progress)}
        </span>
      )}
    </>
  )
}

const pressOf = ({ shiftKey, ctrlKey, metaKey }: MouseEvent): RowPress =>
  shiftKey ? 'through' : ctrlKey || metaKey ? 'toggle' : 'select'

const severityInk = (severity: number): string => {
  const glyph = glyphOf(severity)
  return glyph === 'hot' ? 'text-hot' : glyph === 'cold' ? 'text-cold' : 'text-damp'
}
