import { Link, useParams } from 'wouter'
import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { Group } from '#machines/contracts/entities/groups.ts'
import { useRecordForm } from '../../actors/record-form.ts'
import { useChanges } from '../../actors/use-changes.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { GroupHistory } from '../../layout/group-history.tsx'
import { lazyPart } from '../../layout/lazy-part.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { changeOf, faultsOf, type GroupFields, inFleet, readGroup } from './group-fields.ts'
import { GroupForm } from './group-form.tsx'
import { reveal } from './kept-expanded.ts'

const AssignedProfile = lazyPart(() => import('../../layout/loads/assigned-profile.tsx'))

/** `/groups/{id}/update`: what belongs to a group below the visitor's own. */
export default function UpdateGroup() {
  const { id } = useParams<{ id: string }>()
  const { user } = useSignedIn()
  if (id === user.groupId)
    return (
      <Page title="Update Group">
        <EmptyState
          title="This is your own group"
          action={
            <Link href="/account" className={buttonLook('primary')}>
              Open Account
            </Link>
          }
        >
          Its name, picture and thresholds are changed under Account.
        </EmptyState>
      </Page>
    )
  return <OneGroup key={id} id={id} />
}

function OneGroup({ id }: { id: string }) {
  const { http, toasts, goTo } = useRoot()
  const fleet = useFleetItself()
  const form = useRecordForm<Group, GroupFields>({
    load: (options) => http.ask(GROUP_CALLS.group, { params: { id } }, options),
    read: readGroup,
    check: (fields, group) => faultsOf(fields, group, fleet),
    save: (fields, group, options) => {
      const things = inFleet(fields.things, fleet, group.things)
      const body = changeOf({ ...fields, things }, group)
      return http.ask(GROUP_CALLS.updateGroup, { params: { id }, body }, options)
    },
    contract: Group,
    onSaved: ({ parentId }) => {
      toasts.success('Group Updated Successfully!')
      reveal(fleet, parentId)
    },
    onClose: () => goTo('/groups'),
  })
  useChanges(['groups'], form.changedElsewhere, id)
  return (
    <Page title="Update Group" description={form.entity?.name}>
      <div className="grid min-w-0 items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <Panel className="min-w-0 p-4 desk:p-6">
          <GroupForm form={form} id={id} />
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <AssignedProfile groupId={id} />
          <GroupHistory id={id} />
        </div>
      </div>
    </Page>
  )
}
