import { ArrowLeft } from 'lucide-react'
import { Link } from 'wouter'
import { wholeMinute } from '#machines/rules/date-range.ts'
import { firstInterval, termsOf } from '#machines/rules/report-interval.ts'
import { blankChoice, intervalStepFaults } from '#machines/rules/report-request.ts'
import { clampedSpeed } from '#machines/rules/speed-limit.ts'
import { useReportRequest } from '../../actors/report-request.ts'
import { zoneName } from '../../format/time.ts'
import { NoFences } from '../../layout/no-fences.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { DateRangeField } from '../../ui/date-range-field.tsx'
import { NumberEntry } from '../../ui/number-entry.tsx'
import type { AddressedType } from './report-types.ts'
import { RequestForm } from './request-form.tsx'
import { useChosenCount } from './use-chosen-count.ts'
import { VehicleTabs } from './vehicle-tabs.tsx'

/** Which vehicles, and from when to when: what a report type is asked for with. */
export function IntervalStep({ wanted: { type, title, about } }: { wanted: AddressedType }) {
  const request = useReportRequest(
    { kind: 'interval', type },
    (now) => blankChoice(firstInterval(type, now, zoneName)),
    (choice, now) => intervalStepFaults(type, choice, now, zoneName),
  )
  const { choice, choose, messageOf, isSending } = request
  const { hasGeofences, hasMinDistance, hasSpeed, isPickedSingly } = termsOf(type)
  const count = useChosenCount({ groups: NONE, devices: choice.devices }, 'vehicle', 'vehicle')
  return (
    <Page title={title} description={about}>
      <Panel className="p-4">
        <RequestForm
          title={title}
          request={request}
          button="Export"
          summary={count}
          previous={
            <Link href="/reports" className={buttonLook('quiet')}>
              <ArrowLeft size={16} aria-hidden />
              Previous
            </Link>
          }
        >
          <div className="grid gap-x-6 gap-y-2 desk:grid-cols-[minmax(0,1fr)_20rem]">
            <VehicleTabs
              choice={choice}
              onChoose={choose}
              message={messageOf('devices')}
              hasGroups={!isPickedSingly}
              hasSelectAll={!isPickedSingly}
              isDisabled={isSending}
            />
            <div className="flex flex-col gap-1">
              <DateRangeField
                range={choice}
                onChange={({ from, to }) => choose({ from: wholeMinute(from), to: wholeMinute(to) })}
                timeZone={zoneName}
                labels={{ from: 'Start date and time', to: 'End date and time' }}
                messages={{ from: messageOf('from'), to: messageOf('to') }}
                isDisabled={isSending}
              />
              {hasMinDistance && (
                <NumberEntry
                  label="Min distance travelled"
                  unit="km"
                  value={choice.minDistance}
                  onChange={(minDistance) => choose({ minDistance })}
                  message={messageOf('minDistance')}
                  isDisabled={isSending}
                />
              )}
              {hasSpeed && (
                <NumberEntry
                  label="Speed limit"
                  unit="km/h"
                  value={choice.speed}
                  onChange={(speed) => choose({ speed })}
                  putRight={() => choose({ speed: clampedSpeed(choice.speed) })}
                  message={messageOf('speed')}
                  isDisabled={isSending}
                />
              )}
              {hasGeofences && <NoFences about={about} message={messageOf('geofences')} />}
            </div>
          </div>
        </RequestForm>
      </Panel>
    </Page>
  )
}

const NONE: ReadonlySet<string> = new Set()
