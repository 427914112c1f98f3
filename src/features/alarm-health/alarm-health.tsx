import { useMemo } from 'react'
import { Link } from 'wouter'
import { ALARM_HEALTH_CALLS } from '#machines/contracts/calls/alarm-health-calls.ts'
import type { AlarmHealth as Health } from '#machines/contracts/entities/alarm-health.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { groupTree } from '../../layout/group-tree.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { useAddress } from '../../layout/use-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleet } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Time } from '../../ui/time.tsx'
import { TreeSelect } from '../../ui/tree-select.tsx'
import { alarmHealthAddress, type Days } from './alarm-health-address.ts'
import { Figures } from './figures.tsx'
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
  const groups = useFleet(groupsOf)
  const nodes = useMemo(() => groupTree(groups), [groups])
  const groupId = groups.some(({ _id }) => _id === state.group) ? (state.group as string) : user.groupId
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
      description="Violations as they were told, in slots of 10 minutes: without those shelved, and those that repeat an acknowledged one."
    >
      <Panel className="flex flex-wrap items-end gap-x-6 px-4 pt-4">
        <div className="min-w-64 flex-1 tablet:max-w-96">
          <TreeSelect
            label="Group"
            noun="groups"
            nodes={nodes}
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
        {() => answer && <Parts health={answer} groupId={groupId} />}
      </KeptList>
    </Page>
  )
}

const groupsOf = (fleet: Fleet) => fleet.groups.list

function Parts({ health, groupId }: { health: Health; groupId: string }) {
  return (
    <>
      <Figures health={health} />
      {health.told === 0 && (
        <Panel>
          <EmptyState title="No alarm was told in this time">
            Violations found in readings of before the server began were told to nobody, and are not counted.
          </EmptyState>
        </Panel>
      )}
      <WorstDevices health={health} />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,28rem),1fr))] items-start gap-4">
        <Weeks weeks={health.weeks} />
        <Floods health={health} />
        <Chatter health={health} />
        <Stale health={health} />
        <Shelved health={health} />
        <People health={health} groupId={groupId} />
      </div>
    </>
  )
}
