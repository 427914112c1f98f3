import { useSelector } from '@xstate/react'
import { useEffect, useState } from 'react'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import type { Group } from '#machines/contracts/entities/groups.ts'
import { counted } from '#machines/rules/figures.ts'
import { useLimitsTrial } from '../../actors/limits-trial.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { formatCount } from '../../format/numbers.ts'
import { GroupPicker, useNamedGroup } from '../../layout/group-picker.tsx'
import { groupOptions, groupTree } from '../../layout/group-tree.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { type Addressed, useAddress } from '../../layout/use-address.ts'
import type { Fleet } from '../../read-model/fleet.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Progress } from '../../ui/progress.tsx'
import { CandidateForm } from './candidate-form.tsx'
import { aboutLasting } from './candidates.ts'
import { EarlierTrials } from './earlier-trials.tsx'
import { limitsLabAddress, type Requested } from './limits-lab-address.ts'
import { TrialResults } from './trial-results.tsx'

/** `/limits-lab`: what other limits, delays and margins would have made of what was measured, before they are a group's. */
export default function LimitsLab() {
  const { user } = useSignedIn()
  const addressed = useAddress(limitsLabAddress)
  const fleet = useFleetItself()
  const [first] = useState(() => firstWithDevices(fleet) ?? user.groupId)
  const groupId = useNamedGroup(addressed.state.group, first)
  const { answer, failure, ask } = useKeptAnswer(
    GROUP_CALLS.group,
    { params: { id: groupId } },
    { changes: ['groups'], id: groupId },
  )
  return (
    <Page
      title="Try limits"
      description="What other limits, delays and margins would have made of what was measured, beside what was in force."
    >
      <Panel className="px-4 pt-4">
        <div className="tablet:max-w-96">
          <GroupPicker
            value={groupId}
            onChange={(id) => addressed.write({ group: id === first ? null : id, trial: null }, 'push')}
          />
        </div>
      </Panel>
      <KeptList
        what="The group"
        itself="This page"
        isThere={answer !== undefined}
        failure={failure}
        onRetry={ask}
      >
        {() => answer && <LabOf key={`${groupId} ${addressed.visit}`} group={answer} addressed={addressed} />}
      </KeptList>
    </Page>
  )
}

/** The id of the first group, as they stand to be chosen, that has devices itself: nothing can be tried on others. */
function firstWithDevices({ columns, groups }: Fleet): string | undefined {
  const used = new Set(columns.group.subarray(0, columns.size))
  return groupOptions(groupTree(groups.list)).find(({ id }) => used.has(groups.indexOf(id)))?.id
}

/** Of one group, from choosing candidates to what came of them. */
function LabOf({ group, addressed }: { group: Group; addressed: Addressed<Requested> }) {
  const { trial } = addressed.state
  const actor = useLimitsTrial({
    groupId: group._id,
    onAddress: (id, how) => addressed.write({ trial: id }, how),
  })
  const state = useSelector(actor, ({ value }) => value)
  const { error, done, of, left, shown, draft } = useSelector(actor, ({ context }) => context)
  useEffect(() => {
    if (trial !== null && actor.getSnapshot().matches('choosing')) actor.send({ type: 'open', id: trial })
  }, [actor, trial])
  if (state === 'choosing' || state === 'starting')
    return (
      <>
        <CandidateForm
          group={group}
          error={error}
          isStarting={state === 'starting'}
          tried={draft}
          onTry={(next) => actor.send({ type: 'try', draft: next })}
        />
        <EarlierTrials
          groupId={group._id}
          isDisabled={state === 'starting'}
          onOpen={(id) => actor.send({ type: 'open', id })}
        />
      </>
    )
  if (state === 'running' || state === 'cancelling')
    return (
      <Panel title="Trying limits" className="pb-4">
        <div className="flex flex-col gap-3 px-4">
          <p role="status" className="tabular">
            {of === 0
              ? 'Beginning…'
              : `${formatCount(done)} of ${counted(of, 'device')} ${of === 1 ? 'is' : 'are'} through`}
            {left !== null && ` · ${aboutLasting(left)} left`}
          </p>
          <Progress aria-label="Devices tried" value={of === 0 ? undefined : done} max={of} />
          <div>
            <Button isDisabled={state === 'cancelling'} onPress={() => actor.send({ type: 'cancel' })}>
              {state === 'cancelling' ? 'Cancelling…' : 'Cancel'}
            </Button>
          </div>
        </div>
      </Panel>
    )
  if (state === 'lost' || shown?.result == null)
    return (
      <Panel>
        <ErrorState
          title="What came of it could not be loaded"
          action={
            <div className="flex gap-2">
              <Button kind="primary" onPress={() => actor.send({ type: 'retry' })}>
                Try again
              </Button>
              <Button onPress={() => actor.send({ type: 'again' })}>Try others</Button>
            </div>
          }
        >
          {error}
        </ErrorState>
      </Panel>
    )
  return <TrialResults actor={actor} group={group} />
}
