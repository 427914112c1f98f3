import { Radio, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { Link, useParams } from 'wouter'
import type { DeviceRecord } from '#machines/contracts/entities/device-records.ts'
import { calibrationState } from '#machines/rules/calibration.ts'
import { offsetWords } from '#machines/rules/clock-offset.ts'
import { counted } from '#machines/rules/figures.ts'
import { type DeviceFields, useDeviceActions, useDeviceForm } from '../../actors/device-forms.ts'
import { calibrationWarning, deviceField, deviceValue } from '../../format/device-words.ts'
import { calendarDay } from '../../format/time.ts'
import { HistoryPanel } from '../../layout/history-panel.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { useNow } from '../../ui/clock-context.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { DeviceFieldset } from './device-fields.tsx'
import { ReplaceDialog, RetireDialog } from './tracker-dialogs.tsx'

const AssignedProfile = lazyPart(() => import('../../layout/loads/assigned-profile.tsx'))

/** `/devices/{imei}`: what is known of a device, its tracker's last words, and who changed what of it. */
export default function DevicePage() {
  const { imei = '' } = useParams()
  return <DevicePageOf key={imei} imei={imei} />
}

function DevicePageOf({ imei }: { imei: string }) {
  const form = useDeviceForm(imei)
  const fleet = useFleetItself()
  const { entity } = form
  return (
    <Page
      title={entity?.name ?? 'Device'}
      description={entity && `IMEI ${entity.imei}`}
      actions={
        entity && (
          <Actions
            device={entity}
            // an earlier IMEI of it leads here too
            onReplaced={(newImei) => newImei === imei && form.changedElsewhere()}
          />
        )
      }
    >
      {entity && <Warnings device={entity} />}
      <div className="grid items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Panel className="p-5">
            {entity && entity.retiredAt !== null ? (
              <Facts device={entity} />
            ) : (
              <RecordFormView
                form={form}
                noun="device"
                labelOf={(field) => deviceField(field) ?? field}
                show={(field, value) => shown(fleet, field, value)}
              >
                {(given) => (
                  <div className="grid gap-x-4 tablet:grid-cols-2">
                    <DeviceFieldset {...given} />
                  </div>
                )}
              </RecordFormView>
            )}
          </Panel>
          {entity && <LastWords device={entity} />}
        </div>
        {form.state !== 'failed' && (
          <div className="flex min-w-0 flex-col gap-4">
            {entity?.retiredAt === null && <AssignedProfile imei={entity.imei} groupId={entity.groupId} />}
            <HistoryPanel subject="devices" id={imei} labelOf={deviceField} show={deviceValue} />
          </div>
        )}
      </div>
    </Page>
  )
}

type ActionsProps = { device: DeviceRecord; onReplaced: (newImei: string) => void }

function Actions({ device, onReplaced }: ActionsProps) {
  const [asking, setAsking] = useState<'replace' | 'retire' | null>(null)
  const actions = useDeviceActions(device.imei)
  const close = () => setAsking(null)
  const replace = async (newImei: string): Promise<string | undefined> => {
    const refused = await actions.replaceTracker(newImei)
    if (refused === undefined) onReplaced(newImei)
    return refused
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Link href={`/temperature/${device.imei}`} className={buttonLook('plain')}>
        Readings
      </Link>
      {device.mayRegister && device.retiredAt === null && (
        <>
          <Button onPress={() => setAsking('replace')}>Replace Tracker</Button>
          <Button kind="danger" onPress={() => setAsking('retire')}>
            Retire
          </Button>
        </>
      )}
      {asking === 'replace' && <ReplaceDialog device={device} onReplace={replace} onClose={close} />}
      {asking === 'retire' && <RetireDialog device={device} onRetire={actions.retire} onClose={close} />}
    </div>
  )
}

/** That it is retired, and that its calibration is near or over. */
function Warnings({ device: { retiredAt, calibrationDue } }: { device: DeviceRecord }) {
  const today = calendarDay(useNow(60_000))
  const warning =
    retiredAt === null
      ? calibrationWarning(calibrationState(calibrationDue, today), calibrationDue, today)
      : undefined
  return (
    <>
      {retiredAt !== null && (
        <p role="status" className="flex items-center gap-2 rounded-panel bg-gone-soft px-4 py-3 text-gone">
          <Badge tone="gone">Retired</Badge>
          <span>
            <RelativeTime at={retiredAt} />: it is in no list, and its readings are refused. What it did
            stays.
          </span>
        </p>
      )}
      {warning && (
        <p role="status" className="flex items-center gap-2 rounded-panel bg-error-soft px-4 py-3 text-error">
          <TriangleAlert size={16} aria-hidden className="shrink-0" />
          {warning}
        </p>
      )}
    </>
  )
}

function Facts({ device }: { device: DeviceRecord }) {
  const facts = [
    ['Name', device.name],
    ['Plate number', device.plateNumber],
    ['Make and model', device.vehicleMakeAndModel],
    ['Type', device.type],
    ['Group', device.groupName],
    ['Calibration due', device.calibrationDue ?? ''],
    ['Tracker’s clock', offsetWords(device.clockOffset)],
  ] as const
  return (
    <dl className="grid grid-cols-[10rem_1fr] gap-x-4 gap-y-2">
      {facts.map(([label, value]) => (
        <div key={label} className="contents">
          <dt className="text-ink-soft">{label}</dt>
          <dd>{value === '' ? '–' : value}</dd>
        </div>
      ))}
    </dl>
  )
}

function LastWords({ device: { heardAt, sensors, refused, refusedSince } }: { device: DeviceRecord }) {
  return (
    <Panel title="Tracker">
      <div className="flex flex-col gap-3 px-4 pb-4">
        <p className="flex items-center gap-2">
          <Radio size={16} aria-hidden className="shrink-0 text-ink-faint" />
          {heardAt === null ? (
            'It has not sent a reading yet.'
          ) : (
            <span>
              Newest reading <RelativeTime at={heardAt} />
            </span>
          )}
        </p>
        {sensors.length > 0 && (
          <div>
            <h3 className="pb-1 text-dense text-ink-soft">It measured</h3>
            <ul aria-label="Sensors" className="flex flex-wrap gap-1">
              {sensors.map((sensor) => (
                <li key={sensor}>
                  <Badge>{sensor}</Badge>
                </li>
              ))}
            </ul>
          </div>
        )}
        <div>
          <h3 className="pb-1 text-dense text-ink-soft">
            Refused since <RelativeTime at={refusedSince} />
          </h3>
          {refused.length === 0 ? (
            <p>Nothing.</p>
          ) : (
            <ul aria-label="Refused" className="flex flex-col gap-1">
              {refused.toReversed().map(({ at, reason, detail, times }) => (
                <li key={`${at} ${reason}`} className="flex flex-wrap gap-x-2">
                  <span className="font-medium">{reason}</span>
                  {times > 1 && <span className="tabular text-ink-soft">{counted(times, 'time')}</span>}
                  <span className="min-w-0 flex-1 truncate text-dense text-ink-faint" title={detail}>
                    {detail}
                  </span>
                  <RelativeTime at={at} className="text-dense text-ink-faint" />
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    </Panel>
  )
}

const shown = ({ groups }: Fleet, field: keyof DeviceFields, value: unknown): string =>
  field === 'groupId'
    ? (groups.list[groups.indexOf(String(value))]?.name ?? String(value))
    : deviceValue(field, value)
