import { ArrowLeft } from 'lucide-react'
import { Link, useParams } from 'wouter'
import { termsOf } from '#machines/rules/report-interval.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { IntervalStep } from './interval-step.tsx'
import { addressedType } from './report-types.ts'

/** `/reports/{type}`: vehicles and interval of a report type, or why there is no such report. */
export default function TypeStep() {
  const { type: address = '' } = useParams()
  const found = addressedType(address)
  // a performance report is shown with its selector, which says that there are no geofences
  if (found !== undefined && (found.kind !== null || termsOf(found.type).hasGeofences))
    return <IntervalStep key={found.type} wanted={found} />
  return (
    <Page title={found?.title ?? 'Report'}>
      <Panel className="grid min-h-80 place-items-center">
        <EmptyState
          title={found === undefined ? 'There is no such report' : 'This report cannot be made'}
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <Link href="/reports" className={buttonLook(found?.instead ? 'quiet' : 'primary')}>
                <ArrowLeft size={16} aria-hidden />
                Reports
              </Link>
              {found?.instead && (
                <Link href={found.instead.path} className={buttonLook('primary')}>
                  {found.instead.title}
                </Link>
              )}
            </div>
          }
        >
          {found?.about ?? `No report is called “${address}”. Choose one of the list.`}
        </EmptyState>
      </Panel>
    </Page>
  )
}
