import { GROUP_CALLS } from '#machines/contracts/calls/group-calls.ts'
import { Group } from '#machines/contracts/entities/groups.ts'
import { useRecordForm } from '../../actors/record-form.ts'
import { useRoot, useSignedIn } from '../../actors/use-root.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { creationOf, faultsOf, type GroupFields, inFleet, newGroup } from './group-fields.ts'
import { GroupForm } from './group-form.tsx'
import { everyGroup } from './group-rows.ts'
import { reveal } from './kept-expanded.ts'

/** `/groups/add`: a group below one of the visitor's. */
export default function NewGroup() {
  const { http, toasts, goTo } = useRoot()
  const fleet = useFleetItself()
  const { user } = useSignedIn()
  const form = useRecordForm<Group, GroupFields>({
    // Its bounds are the company's: the visitor's own group knows them.
    load: async (options) => {
      const groups = await http.ask(
        GROUP_CALLS.companyGroups,
        { params: { companyId: user.companyId } },
        options,
      )
      const own = everyGroup(groups).find(({ _id }) => _id === user.groupId)
      if (own === undefined) throw new Error('Your group is not there any more')
      return own
    },
    read: newGroup,
    check: (fields, group) => faultsOf(fields, group, fleet),
    save: (fields, { companyId }, options) => {
      const body = creationOf({ ...fields, things: inFleet(fields.things, fleet) }, companyId)
      return http.ask(GROUP_CALLS.createGroup, { body }, options)
    },
    contract: Group,
    onSaved: ({ parentId }) => {
      toasts.success('Group Created Successfully!')
      reveal(fleet, parentId)
    },
    onClose: () => goTo('/groups'),
  })
  return (
    <Page title="New Group">
      <Panel className="w-full max-w-220 p-4 desk:p-6">
        <GroupForm form={form} saveWord="Create Group" />
      </Panel>
    </Page>
  )
}
