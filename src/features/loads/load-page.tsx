import { Eye, FileText, Link2, PackageCheck, Printer } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import { goneWords } from '#machines/rules/budget-words.ts'
import { MEANING_WORDS } from '#machines/rules/sign-off-words.ts'
import { copyFor } from '../../actors/copy-for.ts'
import { useLoadActions, useLoadStory } from '../../actors/loads.ts'
import { useRoot } from '../../actors/use-root.ts'
import { minutesWords } from '../../format/load-words.ts'
import { writtenTime } from '../../format/time.ts'
import { shareOf } from '../../layout/loads/budget-line.tsx'
import { CloseLoadDialog } from '../../layout/loads/device-load.tsx'
import { LoadBadge, lookOf } from '../../layout/loads/load-badge.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { BudgetBar } from '../../ui/budget-bar.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LOAD_GROUND, LoadGlyph } from '../../ui/load-glyph.tsx'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { CourseChart } from './course-chart.tsx'
import DecideDialog from './decide-dialog.tsx'
import { Actions as Happened, Places, Rules, Spells } from './story-parts.tsx'

/** `/loads/{id}`: the story of a load, and what somebody decides about it. */
export default function LoadPage() {
  const { loadId = '' } = useParams()
  return <LoadOf key={loadId} loadId={loadId} />
}

function LoadOf({ loadId }: { loadId: string }) {
  const [imei, setImei] = useState<string>()
  const { names, columns } = useFleetItself()
  const row = imei === undefined ? -1 : names.rowOf(imei)
  const { answer, failure, ask } = useLoadStory(loadId, row < 0 ? undefined : columns.device[row])
  if (answer !== undefined && answer.imei !== imei) setImei(answer.imei)
  if (answer === undefined)
    return (
      <Page title="Load">
        {failure?.status === 404 ? (
          <EmptyState
            title="There is no such load"
            action={
              <Link href="/loads" className={buttonLook('primary')}>
                Show loads
              </Link>
            }
          >
            It is not in your group or below, or the address is not whole.
          </EmptyState>
        ) : failure ? (
          <ErrorState
            title="The load could not be loaded"
            details={failure.message}
            action={<Button onPress={ask}>Try again</Button>}
          />
        ) : (
          <>
            <Skeleton className="h-24 w-full" />
            <Panel>
              <SkeletonRows rows={6} />
            </Panel>
          </>
        )}
      </Page>
    )
  return <Story load={answer} />
}

function Story({ load }: { load: LoadStory }) {
  const { reference, deviceName, plateNumber, imei, profileId, profileName, openedAt, closedAt, openedBy } =
    load
  return (
    <Page
      title={reference}
      description={
        <span className="flex flex-wrap gap-x-2">
          <Link href={`/temperature/${imei}`} className="text-link hover:underline">
            {[deviceName, plateNumber].filter(Boolean).join(' · ')}
          </Link>
          <Link href={`/profiles/${profileId}`} className="text-link hover:underline">
            {profileName}
          </Link>
        </span>
      }
      actions={<Actions load={load} />}
    >
      <PrintHead />
      <Summary load={load} />
      <p className="text-dense text-ink-soft">
        {`Opened by ${openedBy} `}
        <Time at={openedAt} />
        {closedAt === null ? (
          ', under way for '
        ) : (
          <>
            {', closed '}
            <Time at={closedAt} />
            {' after '}
          </>
        )}
        {minutesWords(load.minutes)}
      </p>
      <div className="grid min-w-0 items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel title="Course" className="min-w-0">
            <CourseChart load={load} />
          </Panel>
          <Spells load={load} />
          <Places load={load} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Rules load={load} />
          <Happened load={load} />
        </div>
      </div>
    </Page>
  )
}

/** The answer first: how it is, what was decided, and what one may do about it. */
function Summary({ load }: { load: LoadStory }) {
  const { reference, state, percent, most, words, decision, may, keptFrom } = load
  const [asking, setAsking] = useState<'release' | 'reject' | 'close' | null>(null)
  const { beginReview, isActing } = useLoadActions()
  const look = lookOf(state)
  const close = (): void => setAsking(null)
  return (
    <section
      aria-label="In short"
      className={classNames('flex flex-col gap-3 rounded-panel px-4 py-3', LOAD_GROUND[look])}
    >
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <LoadGlyph look={look} size={20} />
        <strong className="tabular min-w-0 flex-1 font-semibold text-title">{words}</strong>
        <LoadBadge state={state} className="outline outline-1 outline-current" />
      </div>
      <BudgetBar
        label={`Budget of ${reference}`}
        look={look}
        used={shareOf(percent, most)}
        words={words}
        className="h-3"
      />
      {keptFrom !== undefined && (
        <p className="text-ink">{`${goneWords(load, keptFrom, writtenTime(keptFrom))}.`}</p>
      )}
      {decision !== null && (state === 'released' || state === 'rejected') && (
        <p className="text-ink">
          <strong className="font-semibold">{decision.userName}</strong>
          {state === 'released' ? ' released it ' : ' rejected it '}
          <Time at={decision.at} />
          {`: ${decision.reason}`}
          {decision.signOff && ` · signed: ${MEANING_WORDS[decision.signOff.meaning]}`}
        </p>
      )}
      {(may.beginReview || may.decide || may.close) && (
        <div className="flex flex-wrap gap-2 print:hidden">
          {may.beginReview && (
            <Button
              kind={state === 'exhausted' ? 'primary' : 'plain'}
              isPending={isActing}
              isDisabled={isActing}
              onPress={() => void beginReview(load._id)}
            >
              <Eye size={16} aria-hidden />
              Begin review
            </Button>
          )}
          {may.decide && (
            <>
              <Button kind="primary" onPress={() => setAsking('release')}>
                Release
              </Button>
              <Button kind="danger" onPress={() => setAsking('reject')}>
                Reject
              </Button>
            </>
          )}
          {may.close && (
            <Button onPress={() => setAsking('close')}>
              <PackageCheck size={16} aria-hidden />
              Close load
            </Button>
          )}
        </div>
      )}
      {(asking === 'release' || asking === 'reject') && (
        <DecideDialog load={load} decision={asking} onClose={close} />
      )}
      {asking === 'close' && <CloseLoadDialog load={load} onClose={close} />}
    </section>
  )
}

function Actions({ load }: { load: LoadStory }) {
  const { savePdf, isActing } = useLoadActions()
  const { toasts } = useRoot()
  return (
    <div className="flex flex-wrap gap-1 print:hidden">
      <Button kind="primary" isPending={isActing} isDisabled={isActing} onPress={() => void savePdf(load)}>
        <FileText size={16} aria-hidden />
        PDF
      </Button>
      <Button
        kind="quiet"
        onPress={() => void copyFor({ toasts }, `${location.origin}/loads/${load._id}`, 'Link copied')}
      >
        <Link2 size={16} aria-hidden />
        Copy link
      </Button>
      <Button kind="quiet" onPress={() => window.print()}>
        <Printer size={16} aria-hidden />
        Print
      </Button>
    </div>
  )
}
