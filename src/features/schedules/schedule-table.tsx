import { Pencil, Trash2 } from 'lucide-react'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { titleOf } from '#machines/rules/report-types.ts'
import { INTERVAL_NAMES } from '#machines/rules/schedule-form.ts'
import { Badge } from '../../ui/badge.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { RowTable } from '../../ui/row-table.tsx'
import { ShortText } from '../../ui/short-text.tsx'

export type ScheduleTableProps = {
  schedules: readonly ReportSchedule[]
  /** id of the one in the form */
  editing: string | null
  onEdit: (id: string) => void
  onDelete: (schedule: ReportSchedule) => void
}

/** Cells longer than this are cut; characters. */
const LONGEST = 20
const HEADS = ['Groups', 'Vehicles', 'Interval', 'Emails', 'Report Types', 'Delete']
const COLUMNS =
  'desk:grid desk:grid-cols-[minmax(9rem,3fr)_minmax(9rem,3fr)_6rem_minmax(9rem,3fr)_minmax(8rem,2fr)_6rem] desk:items-center desk:gap-3'

/** The schedules there are, on narrow screens as cards. */
export function ScheduleTable({ schedules, editing, onEdit, onDelete }: ScheduleTableProps) {
  return (
    <RowTable
      label="Scheduled Reports"
      heads={HEADS}
      columns={COLUMNS}
      rows={schedules}
      keyOf={({ _id }) => _id}
      isSelected={({ _id }) => _id === editing}
      heights={{ line: 48, card: 180 }}
      headLook="last:text-right"
      rowLook="aria-selected:bg-accent-soft desk:min-h-12 desk:py-1"
    >
      {(schedule) => (
        <Cells
          schedule={schedule}
          isEdited={schedule._id === editing}
          onEdit={() => onEdit(schedule._id)}
          onDelete={() => onDelete(schedule)}
        />
      )}
    </RowTable>
  )
}

type CellsProps = { schedule: ReportSchedule; isEdited: boolean; onEdit: () => void; onDelete: () => void }

function Cells({ schedule, isEdited, onEdit, onDelete }: CellsProps) {
  const interval = INTERVAL_NAMES[schedule.interval]
  const which = `${interval} schedule for ${schedule.emails[0] ?? ''}`
  return (
    <>
      <Cell
        head="Groups"
        texts={schedule.allGroups ? ['All groups'] : schedule.groups.map(({ name }) => name)}
      />
      <Cell
        head="Vehicles"
        texts={
          schedule.allVehicles
            ? ['All vehicles']
            : schedule.vehicles.map(({ plateNumber, name }) => plateNumber || name)
        }
      />
      <Cell head="Interval" texts={[interval]} />
      <Cell head="Emails" texts={schedule.emails} notes={notesOf(schedule)} />
      <Cell head="Report Types" texts={schedule.reportTypes.map(titleOf)} />
      <td className="flex items-center gap-1 max-desk:absolute max-desk:top-1 max-desk:right-2 desk:justify-end">
        {isEdited && (
          <Badge tone="accent" className="desk:hidden">
            in the form
          </Badge>
        )}
        <IconButton aria-label={`Edit ${which}`} onPress={onEdit}>
          <Pencil size={16} aria-hidden />
        </IconButton>
        <IconButton aria-label={`Delete ${which}`} onPress={onDelete}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </td>
    </>
  )
}

type CellProps = { head: string; texts: readonly string[]; notes?: readonly string[] }

const NOT_SENT = {
  confirm: 'has to say first that it wants these mails: it was sent a link',
  unsubscribed: 'wants none of these mails',
  budget: 'got as many mails today as are sent a day',
} as const

/** Why some of its addresses get nothing. */
const notesOf = ({ notSent = [] }: ReportSchedule): string[] =>
  notSent.map(({ email, because }) => `${email} ${NOT_SENT[because]}`)

/** A cell, which on a card says what it is. */
function Cell({ head, texts, notes = [] }: CellProps) {
  return (
    <td className="flex min-w-0 py-0.5 desk:block">
      <span aria-hidden className="w-28 shrink-0 text-dense text-ink-faint desk:hidden">
        {head}
      </span>
      <div className="min-w-0">
        <ShortText text={texts.join(', ') || 'None left'} longest={LONGEST} />
        {notes.map((note) => (
          <p key={note} className="text-dense break-words text-ink-faint">
            {note}
          </p>
        ))}
      </div>
    </td>
  )
}
