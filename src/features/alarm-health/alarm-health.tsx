import { useEffect, useRef } from 'react'
import { Link } from 'wouter'
import { ALARM_HEALTH_CALLS } from '#machines/contracts/calls/alarm-health-calls.ts'
import type { AlarmHealth as Health } from '#machines/contracts/entities/alarm-health.ts'
import type { Incident, Shelving } from '#machines/contracts/entities/incidents.ts'
import type { IncidentKind } from '#machines/contracts/scalars.ts'
import { type Kind, kindKey } from '#machines/projections/incidents.ts'
import type { Desk } from '../../actors/desk.ts'
import { useStore } from '../../actors/store.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { GroupPicker, useNamedGroup } from '../../layout/group-picker.tsx'
import { AskDialog } from '../../layout/incidents/ask-dialog.tsx'
import { useIncidentActions } from '../../layout/incidents/use-incident-actions.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { useAddress } from '../../layout/use-address.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Time } from '../../ui/time.tsx'
import { alarmHealthAddress, type Days } from './alarm-health-address.ts'
import { Figures } from './figures.tsx'
import type { Shelvings } from './line-actions.tsx'
import { Chatter, Floods, People, Shelved, Stale } from './lists.tsx'
import { Weeks } from './weeks.tsx'
import { WorstDevices } from './worst-devices.tsx'

const DAYS: readonly { id: Days; text: string }[] = [
  { id: '1', text: 'Last day' },
  { id: '7', text: '7 days' },
  { id: '31', text: '31 days' },
]

/** `/visualization/alarms`: whether the alarms of a group can be worked with, and what to do where they cannot. */
export default function AlarmHealth() {
  const { user } = useSignedIn()
  const { state, write } = useAddress(alarmHealthAddress)
  const groupId = useNamedGroup(state.group, user.groupId)
  const { answer, failure, ask } = useKeptAnswer(ALARM_HEALTH_CALLS.alarmHealth, {
    params: { groupId },
    query: { days: Number(state.days) },
  })
  return (
    <Page
      title="Health of alarms"
      actions={
        <div className="flex gap-2">
          <Link href={`/limits-lab?group=${groupId}`} className={buttonLook('plain')}>
            Try limits
          </Link>
          <Button onPress={ask}>Refresh</Button>
        </div>
      }
      description="Violations as alarms were raised, in slots of 10 minutes: without those shelved, and those that repeat an acknowledged one."
    >
      <Panel className="flex flex-wrap items-end gap-x-6 px-4 pt-4">
        <div className="min-w-64 flex-1 tablet:max-w-96">
          <GroupPicker
            value={groupId}
            onChange={(id) => write({ group: id === user.groupId ? null : id }, 'push')}
          />
        </div>
        <div className="w-72 max-w-full pb-7 max-tablet:pb-5">
          <Segments
            label="Of the last"
            options={DAYS}
            value={state.days}
            onChange={(days) => write({ days }, 'push')}
          />
        </div>
        {answer && (
          <p className="tabular -mt-4 basis-full pb-3 text-dense text-ink-soft">
            {'Counted from '}
            <Time at={answer.from} />
            {' to '}
            <Time at={answer.to} />
          </p>
        )}
      </Panel>
      <KeptList
        what="The health of alarms"
        itself="This page"
        isThere={answer !== undefined}
        failure={failure}
        onRetry={ask}
      >
        {() => answer && <Parts health={answer} groupId={groupId} refresh={ask} />}
      </KeptList>
    </Page>
  )
}

type PartsProps = { health: Health; groupId: string; refresh: () => void }

function Parts(props: PartsProps) {
  const { live } = useRoot()
  const desk = useStore(live)?.desk
  return desk ? <WithDesk {...props} desk={desk} /> : <Lists {...props} shelvings={undefined} />
}

function WithDesk({ desk, ...props }: PartsProps & { desk: Desk }) {
  const { action, ask, unshelve } = useIncidentActions(desk)
  const known = useStore(desk.known)
  useRefreshed(known?.shelved, props.refresh)
  const isShelved = (one: Kind): boolean =>
    known?.shelved.some((each) => kindKey(each) === kindKey(one)) === true
  const openOf = (imei: string, type?: IncidentKind): Incident[] =>
    known?.open.filter(
      (one) => one.imei === imei && (type === undefined || one.type === type) && !isShelved(one),
    ) ?? []
  const shelve = (incidents: readonly Incident[]) => ask('shelve', incidents)
  return (
    <>
      <Lists {...props} shelvings={{ openOf, isShelved, shelve, unshelve }} />
      <AskDialog action={action} />
    </>
  )
}

/** What is shelved changed, here or elsewhere: the desk hears of it, and the page is asked for again. */
function useRefreshed(shelved: readonly Shelving[] | undefined, refresh: () => void): void {
  const now = shelved?.map((one) => `${kindKey(one)} ${one.until}`).join()
  const before = useRef(now)
  useEffect(() => {
    if (before.current !== undefined && before.current !== now) refresh()
    before.current = now
  }, [now, refresh])
}

function Lists({ health, groupId, shelvings }: Omit<PartsProps, 'refresh'> & { shelvings: Shelvings }) {
  return (
    <>
      <Figures health={health} />
      {health.told === 0 && (
        <Panel>
          <EmptyState title="No alarm was raised in this time">
            Violations found in readings of before the server began raised no alarm, and are not counted.
          </EmptyState>
        </Panel>
      )}
      <WorstDevices health={health} shelvings={shelvings} />
      <div className="columns-[28rem] gap-4 *:mb-4 *:break-inside-avoid">
        <Weeks weeks={health.weeks} />
        <Floods health={health} />
        <Chatter health={health} shelvings={shelvings} />
        <Stale health={health} shelvings={shelvings} />
        <Shelved health={health} shelvings={shelvings} />
        <People health={health} groupId={groupId} />
      </div>
    </>
  )
}
