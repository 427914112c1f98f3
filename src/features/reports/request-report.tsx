import { ClipboardList } from 'lucide-react'
import { Link } from 'wouter'
import type { ReportChoice } from '#machines/rules/report-request.ts'
import { allKindOf, LOG_PATH, useReportRequest } from '../../actors/report-request.ts'
import { reportAddress } from '../../format/report-address.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { useAddress } from '../../layout/use-address.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { RequestFields } from './request-fields.tsx'
import { RequestForm } from './request-form.tsx'
import { type RequestKind, SCREENS } from './request-kinds.ts'
import { useChosenCount } from './use-chosen-count.ts'

/** The five screens on which a report is asked for; what differs is in request-kinds.ts. */
export default function RequestReport({ kind }: { kind: RequestKind }) {
  const { title, about, holds, button, begin, check } = SCREENS[kind]
  const { devices } = useAddress(reportAddress).state
  const beginWith = (now: number): ReportChoice =>
    devices === 'all' ? begin(now) : { ...begin(now), devices, groups: new Set() }
  const request = useReportRequest({ kind }, beginWith, check)
  const chosen = useChosenCount(request.choice, allKindOf({ kind }), 'device')
  return (
    <Page
      title={title}
      description={about}
      actions={
        <Link href={LOG_PATH} className={buttonLook('plain')}>
          <ClipboardList size={16} aria-hidden />
          Report Logs
        </Link>
      }
    >
      <Panel className="p-4">
        <RequestForm title={title} request={request} button={button} summary={chosen}>
          <RequestFields kind={kind} request={request} />
        </RequestForm>
      </Panel>
      <Panel title="What the file holds" className="pb-3">
        <ul className="flex list-disc flex-col gap-1 pr-4 pl-8 text-ink-soft">
          {holds.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ul>
      </Panel>
    </Page>
  )
}
