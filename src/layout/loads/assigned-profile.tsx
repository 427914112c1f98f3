import { Link } from 'wouter'
import type { ProfileAssignments } from '#machines/contracts/entities/profiles.ts'
import { useAssignments, useProfiles } from '../../actors/profiles.ts'
import type { Groups } from '../../read-model/groups.ts'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Select } from '../../ui/select.tsx'
import { Panel } from '../page.tsx'

export type AssignedProfileProps = { groupId: string } | { imei: string; groupId: string | null }

const INHERITED = 'inherited'

/** The profile that loads opened in a group or on a device have; saved as it is chosen. Those who may not change it read it. */
export default function AssignedProfile(props: AssignedProfileProps) {
  const { answer } = useProfiles()
  const { assignments, isActing, assign } = useAssignments()
  const { groups } = useFleetItself()
  if (answer === undefined || assignments === undefined) return null
  const { profiles, mayChange } = answer
  const nameOf = (profileId: string): string =>
    profiles.find((one) => one.profileId === profileId)?.name ?? 'unknown'
  const own =
    'imei' in props
      ? assignments.devices.find(({ imei }) => imei === props.imei)
      : assignments.groups.find(({ groupId }) => groupId === props.groupId)
  const above = inherited(
    groups,
    'imei' in props ? props.groupId : parentOf(groups, props.groupId),
    assignments,
  )
  const aboveWords =
    above === undefined ? 'None: said for each load' : `As ${above.groupName}: ${nameOf(above.profileId)}`
  const options = [
    { id: INHERITED, text: aboveWords },
    ...profiles.map(({ profileId, name }) => ({ id: profileId, text: name })),
  ]
  return (
    <Panel title="Profile of loads" className="min-w-0">
      <div className="px-4 pb-3">
        {mayChange ? (
          <Select
            label="Loads opened from now on have"
            options={options}
            value={own?.profileId ?? INHERITED}
            onChange={(id) =>
              void assign(
                'imei' in props ? { imei: props.imei } : { groupId: props.groupId },
                id === INHERITED ? null : id,
              )
            }
            hint="Saved as it is chosen; loads that are open keep theirs"
            isDisabled={isActing}
          />
        ) : (
          <p>{own === undefined ? aboveWords : nameOf(own.profileId)}</p>
        )}
        <Link href="/profiles" className="text-dense text-link hover:underline">
          What the profiles say
        </Link>
      </div>
    </Panel>
  )
}

const parentOf = ({ list, indexOf }: Groups, groupId: string): string | null =>
  list[indexOf(groupId)]?.parentId ?? null

/** The nearest group that was given one, from this one up, beyond the visitor's own group too. */
function inherited(
  groups: Groups,
  from: string | null,
  { groups: given, above }: ProfileAssignments,
): { groupName: string; profileId: string } | undefined {
  for (let id = from; id !== null; id = parentOf(groups, id)) {
    const own = given.find(({ groupId }) => groupId === id)
    if (own !== undefined)
      return { groupName: groups.list[groups.indexOf(id)]?.name ?? 'its group', profileId: own.profileId }
  }
  return above === null ? undefined : { groupName: 'a group above', profileId: above }
}
