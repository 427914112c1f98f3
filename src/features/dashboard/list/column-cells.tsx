import { degrees } from '#machines/rules/figures.ts'
import { LOAD_STATE_WORDS } from '#machines/rules/load-state-words.ts'
import { usedWords } from '../../../format/load-words.ts'
import type { DeviceIncident } from '../../../layout/incidents/use-incident-of.ts'
import { lookOf } from '../../../layout/loads/load-badge.tsx'
import { useOnlyNow } from '../../../layout/past/past-context.ts'
import { classNames } from '../../../ui/class-names.ts'
import { LoadGlyph } from '../../../ui/load-glyph.tsx'
import { Age } from '../../../ui/relative-time.tsx'
import type { Device } from '../device.ts'
import { LIST_COLUMNS } from './list-columns.ts'
import { type ColumnKey, WIDTHS } from './list-look.ts'
import { Temperature } from './temperature.tsx'

/** The chosen columns of one device. */
export default function ColumnCells({
  device,
  open,
  columns,
  isFaded,
}: {
  device: Device
  /** its worst open incident, and who has that */
  open: DeviceIncident | undefined
  columns: readonly ColumnKey[]
  isFaded: boolean
}) {
  const isPast = useOnlyNow() !== undefined
  return columns.map((key) => {
    const { kind, value, text } = LIST_COLUMNS[key]
    const known = value(device, open)
    return (
      <span
        key={key}
        style={{ width: WIDTHS[key] }}
        className={classNames(
          'tabular shrink-0 truncate px-2 text-dense',
          kind !== 'text' && 'text-right',
          isFaded && kind !== 'text' && 'text-ink-faint',
        )}
      >
        {key === 'temperature' ? (
          <Temperature device={device} isFaded={isFaded} />
        ) : key === 'at' ? (
          device.at === null ? (
            'never'
          ) : (
            <Age at={device.at} />
          )
        ) : key === 'budget' && isPast ? (
          <span className="text-ink-faint">as of now only</span>
        ) : key === 'budget' && device.budget ? (
          <span className="flex items-center justify-end gap-2">
            <LoadGlyph look={lookOf(device.budget.state)} />
            <span className="sr-only">{LOAD_STATE_WORDS[device.budget.state]}</span>
            {usedWords(device.budget.percent, device.budget.most)}
          </span>
        ) : (
          (text?.(device, open) ?? (typeof known === 'number' ? degrees(known) : known || 'N/A'))
        )}
      </span>
    )
  })
}
