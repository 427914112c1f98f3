import { CalendarClock, ChevronRight } from 'lucide-react'
import { Link } from 'wouter'
import { Page, Panel } from '../../layout/page.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { listedTypes } from './report-types.ts'
import { REQUEST_KINDS, SCREENS } from './request-kinds.ts'

/** `/reports`: which reports there are. */
export default function Reports() {
  return (
    <Page
      title="Reports"
      description="What happened, as a file."
      actions={
        <Link href="/scheduleReport" className={buttonLook('primary')}>
          <CalendarClock size={16} aria-hidden />
          Schedule Report
        </Link>
      }
    >
      <Panel>
        <ul aria-label="Reports">
          {REQUEST_KINDS.map((kind) => {
            const { path, title, about } = SCREENS[kind]
            return (
              <li
                key={kind}
                className="relative flex items-center gap-4 border-line px-4 py-3 not-first:border-t hover:bg-hover"
              >
                <div className="min-w-0 flex-1">
                  <h2 className="font-semibold text-body">{title}</h2>
                  <p className="text-ink-soft">{about}</p>
                </div>
                <Link
                  href={path}
                  aria-label={`Select ${title}`}
                  className="inline-flex h-control items-center gap-1 rounded-small px-2 font-medium text-link after:absolute after:inset-0 after:content-['']"
                >
                  Select
                  <ChevronRight size={16} aria-hidden />
                </Link>
              </li>
            )
          })}
        </ul>
      </Panel>
      <Panel title="By vehicles and interval">
        <ul aria-label="By vehicles and interval" className="grid gap-x-4 px-4 pb-3 tablet:grid-cols-2">
          {listedTypes.map(({ type, title, about }) => (
            <li key={type} className="py-1.5">
              <Link
                href={`/reports/${type}`}
                className="font-medium text-link underline-offset-2 hover:underline"
              >
                {title}
              </Link>
              <p className="text-dense text-ink-soft">{about}</p>
            </li>
          ))}
        </ul>
      </Panel>
    </Page>
  )
}
