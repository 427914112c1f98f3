import { ChartLine, FileText, PenLine, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { ViolationCase as Case } from '#machines/contracts/entities/violation-case.ts'
import { CASE_MEANINGS, MEANING_WORDS } from '#machines/rules/sign-off-words.ts'
import { useAwaitedFile } from '../../actors/proof-file.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { useCaseFile, useViolationCase } from '../../actors/violation-case.ts'
import { lasting, zoneName } from '../../format/time.ts'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { Deliveries, WhySentences } from '../../layout/why/why-panel.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { useNow } from '../../ui/clock-context.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { CaseCourse } from './case-course.tsx'
import { CaseEvents, CaseVersions } from './case-parts.tsx'

const SignOffDialog = lazyPart(() =>
  import('../../layout/sign-off-dialog.tsx').then((module) => ({ default: module.SignOffDialog })),
)

/** `/violations/{id}`: all of one violation, `id` that of the notification that tells of it. */
export default function ViolationCase() {
  const { id = '' } = useParams()
  return <CaseOf key={id} id={id} />
}

function CaseOf({ id }: { id: string }) {
  const { shown, failure, ask, close } = useViolationCase(id)
  if (shown !== undefined) return <Shown id={id} of={shown} close={close} />
  if (failure === null) return <Waiting />
  return (
    <Page title="Case">
      {failure.status === 404 || failure.status === 422 ? (
        <EmptyState
          title="There is no such violation"
          action={
            <Link href="/notifications" className={buttonLook('primary')}>
              Notifications
            </Link>
          }
        >
          Its device is not among yours, or the address is not complete.
        </EmptyState>
      ) : (
        <ErrorState
          title="The case could not be loaded"
          details={failure.message}
          action={<Button onPress={ask}>Try again</Button>}
        />
      )}
    </Page>
  )
}

function Waiting() {
  return (
    <Page title="Case">
      <div role="status" aria-label="Loading the case" className="flex flex-col gap-4">
        <Skeleton className="h-28" />
        <Skeleton className="h-90" />
        <Skeleton className="h-48" />
      </div>
    </Page>
  )
}

type ShownProps = { id: string; of: Case; close: ReturnType<typeof useViolationCase>['close'] }

function Shown({ id, of: shown, close }: ShownProps) {
  const { notification, why, events, versions } = shown
  const { name, thingName, plateNumber, thing } = notification
  const title = `${name} · ${thingName}`
  return (
    <Page
      title={title}
      description={
        <p className="tabular">
          {[plateNumber, `IMEI ${thing}`, notification.place ?? '', zoneName].filter(Boolean).join(' · ')}
        </p>
      }
      actions={<CaseActions id={id} of={shown} close={close} />}
    >
      <PrintHead />
      <Standing of={shown} />
      <Panel title="Why" className="pb-4">
        <div className="px-4">
          <WhySentences why={why} />
        </div>
      </Panel>
      <CaseCourse of={shown} />
      {versions.length > 1 && (
        <Panel title="What was known, and when" className="pb-3">
          <CaseVersions versions={versions} type={why.violation.type} />
        </Panel>
      )}
      <div className="grid gap-4 desk:grid-cols-2">
        <Panel title="What happened" className="pb-3">
          <CaseEvents events={events} />
        </Panel>
        <Panel title="Who was notified" className="pb-3">
          <div className="px-4">
            <Deliveries told={why.told} />
          </div>
        </Panel>
      </div>
    </Page>
  )
}

/** How long it lasted, and who signed that nothing is left to do. */
function Standing({ of: { why, closed, versions } }: Pick<ShownProps, 'of'>) {
  const now = useNow(10_000)
  const { since, clearedAt } = why.violation
  const seconds = (Date.parse(clearedAt ?? new Date(now).toISOString()) - Date.parse(since)) / 1000
  const words = versions.at(-1)?.neverWas
    ? 'It was none: late readings showed it'
    : clearedAt === null
      ? `It lasts, ${lasting(seconds)} so far`
      : `It lasted ${lasting(seconds)}`
  return (
    <Panel className="flex flex-col gap-1 p-4">
      <p className="font-semibold text-title">{words}</p>
      <p className="text-dense text-ink-soft">
        {clearedAt === null
          ? 'Counted from the first reading beyond the limit on.'
          : 'Counted from the first reading beyond the limit to the first one back inside by its margin.'}
        {' The chart counts the time beyond the limit itself, along its line.'}
      </p>
      {closed === null ? (
        <p className="text-ink-soft">The case is open: nobody signed it.</p>
      ) : (
        <p>
          {`${MEANING_WORDS[closed.signOff.meaning]} and closed by `}
          <span className="font-medium">{closed.signOff.name}</span>, <Time at={closed.signOff.at} />
          {`: ${closed.reason}`}
        </p>
      )}
    </Panel>
  )
}

function CaseActions({ id, of: { why, notification, closed, versions }, close }: ShownProps) {
  const { user } = useSignedIn()
  const file = useCaseFile(id)
  const [isClosing, setClosing] = useState(false)
  const [whyNot, setWhyNot] = useState<string | null>(null)
  const [sealed, setSealed] = useState<string>()
  const isOver = why.violation.clearedAt !== null || versions.at(-1)?.neverWas === true
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      {file.wanted && (
        <Awaited
          id={file.wanted}
          onSettled={(reason, sealedUrl) => {
            file.settle()
            setWhyNot(reason)
            setSealed(sealedUrl)
          }}
        />
      )}
      {whyNot && (
        <p role="alert" className="text-dense text-error">
          The PDF could not be made: {whyNot}
        </p>
      )}
      {sealed && (
        <a href={sealed} download className={buttonLook('quiet')}>
          <ShieldCheck size={16} aria-hidden />
          PDF with its seal
        </a>
      )}
      <Link href={`/temperature/${notification.thing}`} className={buttonLook('quiet')}>
        <ChartLine size={16} aria-hidden />
        History
      </Link>
      <Button isPending={file.isAsking || file.wanted !== undefined} onPress={() => void file.ask()}>
        <FileText size={16} aria-hidden />
        PDF
      </Button>
      {closed === null && isOver && (
        <Button kind="primary" onPress={() => setClosing(true)}>
          <PenLine size={16} aria-hidden />
          Close the case
        </Button>
      )}
      {isClosing && (
        <SignOffDialog
          title="Close the case"
          meanings={CASE_MEANINGS}
          name={user.name}
          act="Close the case"
          sign={close}
          onClose={() => setClosing(false)}
        >
          Your name, the time and what you say are kept with the violation for good, and stand on its PDF.
        </SignOffDialog>
      )}
    </div>
  )
}

type AwaitedProps = { id: string; onSettled: (reason: string | null, sealedUrl?: string) => void }

function Awaited({ id, onSettled }: AwaitedProps) {
  useAwaitedFile(id, onSettled)
  return (
    <p role="status" className="text-dense text-ink-soft">
      The PDF is being made and comes by itself. It is in Report Logs too.
    </p>
  )
}
