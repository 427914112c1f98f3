import { array, boolean, nullable, object, type as open } from 'superstruct'
import { Profile, ProfileAssignments, ProfileForm } from '../entities/profiles.ts'
import { Id, Imei } from '../scalars.ts'
import { calls } from './call.ts'

const ById = object({ profileId: Id })
const Chosen = object({ profileId: nullable(Id) })

export const PROFILE_CALLS = calls({
  profiles: {
    method: 'GET',
    path: '/profiles',
    summary: 'What goods may be exposed to: the profiles of the company, by name. Managers change them.',
    access: 'session',
    answer: open({ profiles: array(Profile), mayChange: boolean() }),
  },
  profile: {
    method: 'GET',
    path: '/profiles/{profileId}',
    summary: 'One profile as it is now.',
    access: 'session',
    params: ById,
    answer: Profile,
    versioned: true,
  },
  makeProfile: {
    method: 'POST',
    path: '/profiles',
    summary: 'Make a profile of one’s own. For managers.',
    access: 'session',
    body: ProfileForm,
    answer: Profile,
    status: 201,
  },
  changeProfile: {
    method: 'PUT',
    path: '/profiles/{profileId}',
    summary:
      'Change a profile for loads that are opened from now on; those there are keep the version they were opened with. For managers.',
    access: 'session',
    params: ById,
    body: ProfileForm,
    answer: Profile,
    versioned: true,
  },
  profileHistory: {
    method: 'GET',
    path: '/profiles/{profileId}/history',
    summary:
      'Every version of a profile, newest first, with who set it; the last is as it was shipped, if it was.',
    access: 'session',
    params: ById,
    answer: open({ versions: array(Profile) }),
  },
  profileAssignments: {
    method: 'GET',
    path: '/profile-assignments',
    summary: 'Which groups and devices one sees were given a profile.',
    access: 'session',
    answer: ProfileAssignments,
  },
  assignGroupProfile: {
    method: 'PUT',
    path: '/groups/{groupId}/profile',
    summary:
      'Give a group and all below it a profile for loads that are opened from now on; null: that of the group above. For managers.',
    access: 'session',
    setsState: true,
    params: object({ groupId: Id }),
    body: Chosen,
    answer: ProfileAssignments,
  },
  assignDeviceProfile: {
    method: 'PUT',
    path: '/things/{imei}/profile',
    summary:
      'Give a device a profile for loads that are opened from now on; null: that of its group. For managers.',
    access: 'session',
    setsState: true,
    params: object({ imei: Imei }),
    body: Chosen,
    answer: ProfileAssignments,
  },
})
