import { useSelector } from '@xstate/react'
import { ArrowLeft, Bell, Share2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link, useParams } from 'wouter'
import type { DeviceHistory as History } from '#machines/contracts/entities/devices.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { catchingUpText } from '#machines/rules/catching-up.ts'
import { presetRange } from '#machines/rules/date-range.ts'
import { counted } from '#machines/rules/figures.ts'
import { useCompared } from '../../actors/compared.ts'
import { pointOf, useHistorySearch } from '../../actors/history-search.ts'
import { useCameLater, useProgress } from '../../actors/late-news.ts'
import { useDeviceBudget } from '../../actors/loads.ts'
import { createStore, useStore } from '../../actors/store.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { useRoot } from '../../actors/use-root.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { zoneName } from '../../format/time.ts'
import { DamagedNotice } from '../../layout/damaged-notice.tsx'
import { OutOfDate } from '../../layout/kept-list.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { CarriedLoad, OpenLoad, useDeviceNo } from '../../layout/loads/device-load.tsx'
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
import { AttendedVerdicts } from './attention.tsx'
import { CompareButton, Legend } from './compare.tsx'
import { type HistoryAsked, type HistoryPreset, historyAddress } from './history-address.ts'
import { aroundOf, PROOF_GRID, Proof, Verdicts, WaitingProof } from './proof.tsx'
import { SearchPanel } from './search-panel.tsx'

const BudgetStrip = lazyPart(() => import('./budget-strip.tsx'))
const ShareDialog = lazyPart(() => import('../../layout/share-dialog.tsx'))

/** `/temperature/{imei}`: what a device measured, by range, extended while it is looked at. */
export default function DeviceHistory() {
  const { imei = '' } = useParams()
  const { state, visit, write } = useAddress(historyAddress)
  return <HistoryOf key={`${imei} ${visit}`} imei={imei} asked={state} onAsked={write} />
}

/** Who looks back sees as its newest reading what was that then. */
function useStanding(imei: string, history: History | null): History | null {
  const isPast = useOnlyNow() !== undefined
  const fleet = useFleetItself()
  const version = useFleet(versionOf)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the fleet is another one with its version
  return useMemo(() => {
    if (!isPast || history === null) return history
    const row = fleet.names.rowOf(imei)
    const isHeard = row >= 0 && (fleet.columns.at[row] as number) > 0
    return { ...history, latest: isHeard ? pointOf(fleet, row) : null }
  }, [isPast, history, fleet, version, imei])
}

const versionOf = ({ version }: Fleet): number => version

const NOTHING = createStore(undefined)

type HistoryProps = { imei: string; asked: HistoryAsked; onAsked: Addressed<HistoryAsked>['write'] }

function HistoryOf({ imei, asked, onAsked }: HistoryProps) {
  const { clock, live } = useRoot()
  const desk = useStore(live ?? NOTHING)?.desk
  const isPast = useOnlyNow() !== undefined
  const budget = useDeviceBudget(imei, useDeviceNo(imei)).answer
  const [first] = useState(() => asked.range ?? presetRange(asked.preset, clock.now(), zoneName))
  const actor = useHistorySearch(imei, first)
  const { range, history: found, isOfRange, message, error } = useSelector(actor, (state) => state.context)
  const history = useStanding(imei, found)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  // what is asked for behind the page does not dim what is shown
  const isAwaited = isLoading && (!isOfRange || error !== null)
  const hasFailed = useSelector(actor, (state) => state.matches('failed')) && !isOfRange
  const retry = (): void => actor.send({ type: 'retry', now: clock.now() })
  const device = useDeviceName(imei)
  const [preset, setPreset] = useState<HistoryPreset | null>(asked.range ? null : asked.preset)
  // what is typed gives way to a span that is offered
  const [looks, setLooks] = useState(0)
  const look = (to: HistoryPreset | null, range: Range): void => {
    setPreset(to)
    setLooks(looks + 1)
    actor.send({ type: 'look', range, now: clock.now() })
    onAsked(to === null ? { range: whole(range), preset: 'day' } : { range: null, preset: to }, 'push')
  }
  const [isSharing, setSharing] = useState(false)
  const name = device?.name ?? imei
  const { names } = useFleetItself()
  const isThere = useFleet(isKnown)
  // what the visitor cannot see falls away
  const others = useMemo(
    () => asked.compared.filter((other) => other !== imei && isThere && names.rowOf(other) >= 0),
    [asked.compared, imei, isThere, names],
  )
  const compared = useCompared(range, {
    imeis: others,
    set: (imeis) => onAsked({ compared: imeis }, 'replace'),
  })
  const cameLater = useCameLater(actor, imei)
  const progress = useProgress(imei)
  return (
    <Page
      title={device?.name ?? imei}
      description={device && `${device.plate === '' ? '' : `${device.plate} · `}IMEI ${imei}`}
      actions={
        <div className="flex flex-wrap print:hidden">
          {budget?.load === null && !isPast && (
            // it comes when the budget is known: on a phone after what is there already
            <OpenLoad imei={imei} name={name} profile={budget.profile} className="max-tablet:order-last" />
          )}
          <Button kind="primary" isDisabled={history === null} onPress={() => setSharing(true)}>
            <Share2 size={16} aria-hidden />
            Share
          </Button>
          <Link
            href={notificationsAddress({ thing: imei, ...(device && { plate: device.plate }) })}
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
          <Verdicts history={history} range={range} />
        ) : (
          <AttendedVerdicts history={history} range={range} imei={imei} desk={desk} />
        ))}
      {budget?.load && !isPast && (
        <Panel className="px-4 py-2 print:hidden">
          <CarriedLoad load={budget.load} />
        </Panel>
      )}
      <Panel className="p-4 max-tablet:order-last short:order-last print:hidden">
        <SearchPanel
          key={looks}
          device={name}
          range={range}
          preset={preset}
          message={message}
          isLoading={isAwaited}
          onPreset={(wanted) => look(wanted, presetRange(wanted, clock.now(), zoneName))}
          onSearch={(wanted) => {
            setPreset(null)
            actor.send({ type: 'search', range: wanted, now: clock.now() })
            const { message, range } = actor.getSnapshot().context
            if (message === null) onAsked({ range: whole(range), preset: 'day' }, 'push')
          }}
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
            onSpell={(spell) => look(null, aroundOf(spell))}
            others={compared.histories}
            actions={<CompareButton own={imei} compared={compared} />}
            legend={<Legend name={name} compared={compared} />}
            beneath={<BudgetStrip imei={imei} range={range} />}
          />
        </div>
      )}
      {(progress !== undefined || cameLater > 0) && (
        <div role="status" className="floating sticky bottom-4 z-[5] self-center print:hidden">
          {progress !== undefined && (
            <p className="px-4 py-2 first-letter:uppercase">{catchingUpText(progress)}</p>
          )}
          {cameLater > 0 && (
            <p className="flex items-center gap-2 pl-4">
              {`${counted(cameLater, 'reading')} came later`}
              <Button kind="quiet" onPress={() => actor.send({ type: 'look', range, now: clock.now() })}>
                Show
              </Button>
            </p>
          )}
        </div>
      )}
      {isSharing && history !== null && (
        <ShareDialog imei={imei} range={range} onClose={() => setSharing(false)} />
      )}
    </Page>
  )
}

const isKnown = (fleet: Fleet): boolean => fleet.seq !== undefined

/** Instants in an address are whole milliseconds. */
const whole = ({ from, to }: Range): Range => ({ from: Math.round(from), to: Math.round(to) })
