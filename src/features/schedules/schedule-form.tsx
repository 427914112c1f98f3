import { useEffect, useRef, useState } from 'react'
import type { ReportSchedule } from '#machines/contracts/entities/reports.ts'
import { type ScheduleFormOptions, useScheduleForm } from '../../actors/schedule-form.ts'
import { Panel } from '../../layout/page.tsx'
import { FieldsToCome, RecordFormView } from '../../layout/record-form.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { ExtraFields } from './extra-fields.tsx'
import { ScheduleFields } from './schedule-fields.tsx'
import { LABELS, shownValue } from './schedule-words.ts'

type Props = Omit<ScheduleFormOptions, 'schedules'> & {
  /** undefined: not known yet */
  schedules: readonly ReportSchedule[] | undefined
  /** the one that is changed may be among those that are not known yet */
  isSought: boolean
  /** it was opened on the page, which did not begin with it */
  isOpened: boolean
}

/** The form of a schedule: a new one, or the one that was picked from the list. */
export function ScheduleForm({ schedules, isSought, ...props }: Props) {
  const [isKnown, setKnown] = useState(props.id === null)
  if (!isKnown && schedules !== undefined && !isSought) setKnown(true)
  return (
    <Panel title={props.id === null ? 'New schedule' : 'Change of a schedule'}>
      <div className="px-4 pb-4">
        {isKnown ? <OneForm {...props} schedules={schedules ?? []} /> : <FieldsToCome />}
      </div>
    </Panel>
  )
}

function OneForm({ isOpened, ...options }: ScheduleFormOptions & { isOpened: boolean }) {
  const fleet = useFleetItself()
  const form = useScheduleForm(options)
  const place = useRef<HTMLDivElement>(null)
  const isNew = options.id === null
  const isThere = form.entity !== undefined
  useEffect(() => {
    if (!isThere || !isOpened) return
    // the list is below the form, and may be long
    if (!isNew) place.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
    place.current?.querySelector<HTMLElement>(CHANGEABLE)?.focus({ preventScroll: isNew })
  }, [isThere, isOpened, isNew])
  return (
    <div ref={place}>
      <RecordFormView
        form={form}
        noun="schedule"
        labelOf={(field) => LABELS[field]}
        show={(field, value) => shownValue(field, value, fleet)}
        saveWord={isNew ? 'Save' : 'Update'}
        hasNoCancel={isNew}
      >
        {(inside) => (
          <>
            <ScheduleFields form={inside} isNew={isNew} />
            <ExtraFields form={inside} />
          </>
        )}
      </RecordFormView>
    </div>
  )
}

/** groups and vehicles of a schedule stay what they are */
const CHANGEABLE = 'button:not([disabled]), input:not([disabled])'
