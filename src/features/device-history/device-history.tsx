import { useSelector } from '@xstate/react'
import { ArrowLeft, Bell, Share2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { catchingUpText } from '#machines/rules/catching-up.ts'
import { lastNight } from '#machines/rules/date-range.ts'
import { useCompared } from '../../actors/compared.ts'
import { useHistorySearch } from '../../actors/history-search.ts'
import { useCameLater, useProgress } from '../../actors/late-news.ts'
import { useDeviceName } from '../../actors/use-device-name.ts'
import { useRoot } from '../../actors/use-root.ts'
import { notificationsAddress } from '../../format/notifications-address.ts'
import { zoneName } from '../../format/time.ts'
import { DamagedNotice } from '../../layout/damaged-notice.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { PrintHead } from '../../layout/print-head.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { CompareButton, Legend } from './compare.tsx'
import { aroundOf, PROOF_GRID, Proof, Verdicts, WaitingProof } from './proof.tsx'
import { type Preset, SearchPanel } from './search-panel.tsx'

const ShareDialog = lazyPart(() =>
  import('./share-dialog.tsx').then((module) => ({ default: module.ShareDialog })),
)

/** `/temperature/{imei}`: what a device measured, by range, extended while it is looked at. */
export default function DeviceHistory() {
  const { imei = '' } = useParams()
  return <HistoryOf key={imei} imei={imei} />
}

function HistoryOf({ imei }: { imei: string }) {
  const { clock } = useRoot()
  const actor = useHistorySearch(imei)
  const { range, history, message, error } = useSelector(actor, (state) => state.context)
  const isLoading = useSelector(actor, (state) => state.matches('loading'))
  const hasFailed = useSelector(actor, (state) => state.matches('failed'))
  const device = useDeviceName(imei)
  const [preset, setPreset] = useState<Preset | null>('day')
  // what is typed gives way to a span that is offered
  const [looks, setLooks] = useState(0)
  const look = (to: Preset | null, range: Range): void => {
    setPreset(to)
    setLooks(looks + 1)
    actor.send({ type: 'look', range, now: clock.now() })
  }
  const [isSharing, setSharing] = useState(false)
  const name = device?.name ?? imei
  const compared = useCompared(range)
  const cameLater = useCameLater(actor, imei)
  const progress = useProgress(imei)
  return (
    <Page
      title={device?.name ?? imei}
      description={device && `${device.plate === '' ? '' : `${device.plate} · `}IMEI ${imei}`}
      actions={
        <div className="flex flex-wrap print:hidden">
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
      {history !== null && !hasFailed && <Verdicts history={history} />}
      <Panel className="p-4 max-tablet:order-last print:hidden">
        <SearchPanel
          key={looks}
          device={name}
          range={range}
          preset={preset}
          message={message}
          isLoading={isLoading}
          onPreset={(wanted) => look(wanted, spanOf(wanted, clock.now()))}
          onSearch={(wanted) => {
            setPreset(null)
            actor.send({ type: 'search', range: wanted, now: clock.now() })
          }}
        />
      </Panel>
      {history?.damaged !== undefined && !hasFailed && <DamagedNotice spans={history.damaged} />}
      {hasFailed ? (
        <Panel className="flex-1">
          <ErrorState
            title="This history could not be loaded"
            details={error ?? undefined}
            action={<Button onPress={() => actor.send({ type: 'retry' })}>Try again</Button>}
          />
        </Panel>
      ) : history === null ? (
        <WaitingProof />
      ) : (
        <div aria-busy={isLoading} className={classNames(PROOF_GRID, isLoading && 'opacity-60')}>
          <Proof
            history={history}
            range={range}
            name={name}
            onSpell={(spell) => look(null, aroundOf(spell))}
            others={compared.histories}
            actions={<CompareButton own={imei} compared={compared} />}
            legend={<Legend name={name} compared={compared} />}
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
              {`${cameLater} ${cameLater === 1 ? 'reading' : 'readings'} came later`}
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

const HOUR_MS = 3_600_000

function spanOf(preset: Preset, now: number): Range {
  if (preset === 'night') return lastNight(now, zoneName)
  const hours = { hour: 1, day: 24, week: 7 * 24 }[preset]
  return { from: now - hours * HOUR_MS, to: now }
}
