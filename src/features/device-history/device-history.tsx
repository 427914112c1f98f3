import { useSelector } from '@xstate/react'
import { ArrowLeft, Bell, Share2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { presetRange } from '#machines/rules/date-range.ts'
import { useCompared } from '../../actors/compared.ts'
import { useHistorySearch } from '../../actors/history-search.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { useRoot } from '../../actors/use-root.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { zoneName } from '../../format/time.ts'
import { DamagedNotice } from '../../layout/damaged-notice.tsx'
import { OutOfDate } from '../../layout/kept-list.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { DeviceLoad } from '../../layout/loads/device-load.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { useOnlyNow } from '../../layout/past/past-context.ts'
import { PrintHead } from '../../layout/print-head.tsx'
import { type Addressed, useAddress } from '../../layout/use-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet, useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { AttendedSummaries } from './attention.tsx'
import { CompareButton, Legend } from './compare.tsx'
import { type HistoryRequest, historyAddress } from './history-address.ts'
import { LateNews } from './late-news.tsx'
import { aroundOf, PROOF_GRID, Proof, Summaries, WaitingProof } from './proof.tsx'
import { SearchPanel } from './search-panel.tsx'
import { useSpan } from './use-span.ts'
import { useStanding } from './use-standing.ts'

const BudgetStrip = lazyPart(() => import('./budget-strip.tsx'))
const ShareDialog = lazyPart(() => import('../../layout/share-dialog.tsx'))

/** `/temperature/{imei}`: what a device measured, by range, extended while it is looked at. */
export default function DeviceHistory() {
  const { imei = '' } = useParams()
  const { state, visit, write } = useAddress(historyAddress)
  return <HistoryOf key={`${imei} ${visit}`} imei={imei} requested={state} onRequested={write} />
}

const NOTHING = createStore(undefined)

type HistoryProps = {
  imei: string
  requested: HistoryRequest
  onRequested: Addressed<HistoryRequest>['write']
}

function HistoryOf({ imei, requested, onRequested }: HistoryProps) {
  const { clock, live } = useRoot()
  const desk = useStore(live ?? NOTHING)?.desk
  const isPast = useOnlyNow() !== undefined
  const [first] = useState(() =>
    requested.range
      ? { range: requested.range, preset: null }
      : { range: presetRange(requested.preset, clock.now(), zoneName), preset: requested.preset },
  )
  const actor = useHistorySearch(imei, first)
  const {
    range,
    preset,
    history: found,
    isOfRange,
    message,
    error,
  } = useSelector(actor, (state) => state.context)
  const history = useStanding(imei, found)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  // what is asked for behind the page does not dim what is shown
  const isAwaited = isLoading && (!isOfRange || error !== null)
  const hasFailed = useSelector(actor, (state) => state.matches('failed')) && !isOfRange
  const retry = (): void => actor.send({ type: 'retry', now: clock.now() })
  const device = useDeviceName(imei)
  const name = device?.name ?? imei
  const span = useSpan(actor, onRequested)
  const compared = useComparedWith(imei, range, requested, onRequested)
  const [isSharing, setSharing] = useState(false)
  return (
    <Page
      title={name}
      description={device && `${device.plate === '' ? '' : `${device.plate} · `}IMEI ${imei}`}
      actions={
        <Actions
          imei={imei}
          plate={device?.plate}
          onShare={history === null ? undefined : () => setSharing(true)}
        />
      }
    >
      <PrintHead range={range} />
      {isOfRange && error !== null && (
        <Panel className="py-1">
          <OutOfDate what="This history" onRetry={retry} />
        </Panel>
      )}
      {history !== null &&
        !hasFailed &&
        (desk === undefined || isPast ? (
          <Summaries history={history} range={range} />
        ) : (
          <AttendedSummaries history={history} range={range} imei={imei} desk={desk} />
        ))}
      <Panel className="p-4 max-tablet:order-last short:order-last print:hidden">
        <SearchPanel
          key={span.looks}
          device={name}
          range={range}
          preset={preset}
          message={message}
          onPreset={span.pick}
          onSearch={span.search}
        />
      </Panel>
      {history?.damaged !== undefined && !hasFailed && <DamagedNotice spans={history.damaged} />}
      {hasFailed ? (
        <Panel className="flex-1">
          <ErrorState
            title="This history could not be loaded"
            details={error ?? undefined}
            action={<Button onPress={retry}>Try again</Button>}
          />
        </Panel>
      ) : history === null ? (
        <WaitingProof />
      ) : (
        <div aria-busy={isLoading} className={classNames(PROOF_GRID, isAwaited && 'opacity-60')}>
          <Proof
            history={history}
            range={range}
            name={name}
            onSpell={(spell) => span.look(aroundOf(spell))}
            others={compared.histories}
            actions={<CompareButton own={imei} compared={compared} />}
            legend={<Legend name={name} compared={compared} />}
            beneath={<BudgetStrip imei={imei} range={range} />}
          />
        </div>
      )}
      <Panel className="px-4 py-2 max-tablet:order-last short:order-last print:hidden">
        <DeviceLoad imei={imei} name={name} className="flex min-h-13 flex-col justify-center" />
      </Panel>
      <LateNews actor={actor} imei={imei} />
      {isSharing && history !== null && (
        <ShareDialog imei={imei} range={range} onClose={() => setSharing(false)} />
      )}
    </Page>
  )
}

type ActionsProps = {
  imei: string
  /** undefined: it is not in the fleet */
  plate: string | undefined
  /** undefined: there is nothing to share yet */
  onShare: (() => void) | undefined
}

function Actions({ imei, plate, onShare }: ActionsProps) {
  return (
    <div className="flex flex-wrap print:hidden">
      <Button kind="primary" isDisabled={onShare === undefined} {...(onShare && { onPress: onShare })}>
        <Share2 size={16} aria-hidden />
        Share
      </Button>
      <Link
        href={notificationsAddress({ thing: imei, ...(plate !== undefined && { plate }) })}
        className={buttonLook('quiet')}
      >
        <Bell size={16} aria-hidden />
        Notifications
      </Link>
      <Link href="/" className={buttonLook('quiet')}>
        <ArrowLeft size={16} aria-hidden />
        Dashboard
      </Link>
    </div>
  )
}

/** Histories of the devices the address compares it with. What the visitor cannot see falls away. */
function useComparedWith(
  imei: string,
  range: Range,
  requested: HistoryRequest,
  onRequested: HistoryProps['onRequested'],
) {
  const { names } = useFleetItself()
  const isThere = useFleet(isKnown)
  const imeis = useMemo(
    () => requested.compared.filter((other) => other !== imei && isThere && names.rowOf(other) >= 0),
    [requested.compared, imei, isThere, names],
  )
  return useCompared(range, { imeis, set: (compared) => onRequested({ compared }, 'replace') })
}

const isKnown = (fleet: Fleet): boolean => fleet.seq !== undefined
