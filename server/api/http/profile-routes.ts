import { devicesWithin, groupsWithin } from '#machines/projections/directory.ts'
import { profileIds, profileNow, profileVersions } from '#machines/projections/profiles.ts'
import type { Visitor } from '../../auth/visitor.ts'
import { profileOfGroup } from '../../commands/loads/open-load.ts'
import { assignProfile, loadStream, setProfile } from '../../commands/profiles/set-profile.ts'
import { newId } from '../../commands/repeatable.ts'
import { isManager } from '../../commands/views/views.ts'
import type { HttpContext } from './context.ts'
import { profileAnswer } from './profile-answer.ts'
import { notFound, refusal } from './refusals.ts'
import { ifVersion, refusedEdit, versioned } from './versions.ts'

type Deps = Pick<HttpContext, 'answerCall' | 'execute' | 'readModels' | 'visible'>

/** What goods may be exposed to. */
export function profileRoutes({ answerCall, execute, visible, readModels: { directory } }: Deps): void {
  const { profiles } = directory

  const now = ({ companyId }: Visitor, profileId: string) => {
    const version = profileNow(profiles, companyId, profileId)
    if (version === undefined) throw notFound()
    return profileAnswer(directory, profileId, version)
  }

  answerCall('profiles', ({ visitor }) => ({
    profiles: profileIds(profiles, visitor.companyId)
      .map((id) => now(visitor, id))
      .toSorted((a, b) => a.name.localeCompare(b.name)),
    mayChange: isManager(directory, visitor),
  }))

  answerCall('profile', ({ params, visitor, reply }) => versioned(reply, now(visitor, params.profileId)))

  answerCall('makeProfile', async ({ body, visitor }) => {
    const profileId = newId('p')
    const { refused } = await execute(
      loadStream(visitor.companyId),
      {
        type: 'profile.set',
        by: visitor.userId,
        data: { profileId, isNew: true, ifVersion: null, ...body },
      },
      (state, command) => setProfile(state, command, visitor),
    )
    if (refused) throw refusal(refused)
    return now(visitor, profileId)
  })

  answerCall('changeProfile', async ({ params: { profileId }, body, visitor, request, reply }) => {
    const { refused } = await execute(
      loadStream(visitor.companyId),
      {
        type: 'profile.set',
        by: visitor.userId,
        data: { profileId, isNew: false, ifVersion: ifVersion(request), ...body },
      },
      (state, command) => setProfile(state, command, visitor),
    )
    if (refused) {
      const current = () => now(visitor, profileId)
      const { changedAt, changedBy } =
        refused.status === 412 ? current() : { changedAt: null, changedBy: null }
      throw refusedEdit(refused, current, { at: changedAt, by: changedBy })
    }
    return versioned(reply, now(visitor, profileId))
  })

  answerCall('profileHistory', ({ params: { profileId }, visitor }) => {
    const versions = profileVersions(profiles, visitor.companyId, profileId)
    if (versions.length === 0) throw notFound()
    return { versions: versions.map((version) => profileAnswer(directory, profileId, version)) }
  })

  const assignments = ({ groupId: topId }: Visitor) => ({
    above: profileOfGroup(directory, directory.groups.get(topId)?.parentId ?? null) ?? null,
    groups: groupsWithin(directory, topId).flatMap(({ _id: groupId }) => {
      const profileId = profiles.ofGroups.get(groupId)
      return profileId === undefined ? [] : [{ groupId, profileId }]
    }),
    devices: Array.from(devicesWithin(directory, topId)).flatMap((no) => {
      const profileId = profiles.ofDevices.get(no)
      const imei = directory.devices[no]?.imei
      return profileId === undefined || imei === undefined ? [] : [{ imei, profileId }]
    }),
  })

  async function assign(
    visitor: Visitor,
    data: { profileId: string | null; groupId: string | null; imei: string | null },
  ) {
    const { refused } = await execute(
      loadStream(visitor.companyId),
      { type: 'profile.assign', by: visitor.userId, data },
      (state, command) => assignProfile(state, command, visitor),
    )
    if (refused) throw refusal(refused)
    return assignments(visitor)
  }

  answerCall('profileAssignments', ({ visitor }) => assignments(visitor))
  answerCall('assignGroupProfile', ({ params, body: { profileId }, visitor }) => {
    const { _id: groupId } = visible.group(visitor, params.groupId)
    return assign(visitor, { profileId, groupId, imei: null })
  })
  answerCall('assignDeviceProfile', ({ params, body: { profileId }, visitor }) => {
    const { imei } = visible.device(visitor, params.imei)
    return assign(visitor, { profileId, groupId: null, imei })
  })
}
