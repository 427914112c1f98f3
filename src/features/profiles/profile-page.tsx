import { Link, useParams } from 'wouter'
import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { ruleWords } from '#machines/rules/budget-words.ts'
import { figure } from '#machines/rules/figures.ts'
import {
  type ProfileFields,
  rulesOf,
  useAssignments,
  useProfileForm,
  useProfiles,
  useProfileVersions,
} from '../../actors/profiles.ts'
import { versionWords } from '../../format/profile-words.ts'
import { Page, Panel } from '../../layout/page.tsx'
import { RecordFormView } from '../../layout/record-form.tsx'
import { useFleetItself } from '../../read-model/use-fleet.ts'
import { Badge } from '../../ui/badge.tsx'
import { LABELS, ProfileFieldset } from './profile-fields.tsx'
import { ProfileHistory } from './profile-history.tsx'

/** `/profiles/{id}`: what a profile says, its versions, and what was given it. Managers change it here. */
export default function ProfilePage() {
  const { profileId = '' } = useParams()
  return <ProfileOf key={profileId} profileId={profileId} />
}

function ProfileOf({ profileId }: { profileId: string }) {
  const versions = useProfileVersions(profileId)
  const mayChange = useProfiles().answer?.mayChange
  const form = useProfileForm(profileId, versions.ask)
  const { entity } = form
  return (
    <Page
      title={entity?.name ?? 'Profile'}
      description={entity && (entity.source === '' ? 'The company’s own' : `Source: ${entity.source}`)}
      actions={entity && <Badge>{versionWords(entity)}</Badge>}
    >
      <div className="grid min-w-0 items-start gap-4 desk:grid-cols-[minmax(0,3fr)_minmax(20rem,2fr)]">
        <Panel className="min-w-0 p-4 desk:p-6">
          {entity && mayChange === false ? (
            <Rules profile={entity} />
          ) : (
            <RecordFormView
              form={form}
              noun="profile"
              labelOf={(field) => LABELS[field]}
              show={shown}
              hasNoCancel
            >
              {(given) => <ProfileFieldset {...given} />}
            </RecordFormView>
          )}
        </Panel>
        <div className="flex min-w-0 flex-col gap-4">
          <GivenTo profileId={profileId} />
          {form.state !== 'failed' && <ProfileHistory kept={versions} />}
        </div>
      </div>
    </Page>
  )
}

function shown(field: keyof ProfileFields, value: unknown): string {
  if (field === 'rules')
    return rulesOf({ rules: String(value) })
      .map(ruleWords)
      .join(' · ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? figure(value) : String(value ?? '')
}

/** For those who may not change it. */
function Rules({ profile: { rules, mktDecides, steepest, surroundings } }: { profile: Profile }) {
  return (
    <div className="flex flex-col gap-4">
      <section>
        <h2 className="pb-1 font-semibold">Rules</h2>
        <ul className="flex list-disc flex-col gap-1 pl-4">
          {rules.map((rule) => (
            <li key={JSON.stringify(rule)}>{ruleWords(rule)}</li>
          ))}
        </ul>
      </section>
      <p>
        {mktDecides
          ? 'The mean kinetic temperature decides where a rule names it.'
          : 'The mean kinetic temperature is shown and decides nothing.'}
      </p>
      <p className="text-ink-soft">
        {`While nothing is measured, surroundings change by ${figure(steepest)} °C a minute at most and stay within ${figure(surroundings.low)} to ${figure(surroundings.high)} °C.`}
      </p>
      <p className="text-dense text-ink-faint">Managers change profiles.</p>
    </div>
  )
}

/** Groups and devices that were given it, each with the way to change that. */
function GivenTo({ profileId }: { profileId: string }) {
  const { assignments } = useAssignments()
  const { groups, names } = useFleetItself()
  if (assignments === undefined) return null
  const toGroups = assignments.groups.filter((one) => one.profileId === profileId)
  const toDevices = assignments.devices.filter((one) => one.profileId === profileId)
  return (
    <Panel title="Assigned to">
      {toGroups.length + toDevices.length === 0 ? (
        <p className="px-4 pb-4 text-ink-soft">
          Nothing yet. Give it to a group or a device on its own page: loads opened there have it then.
        </p>
      ) : (
        <ul aria-label="Assigned to" className="flex flex-col px-4 pb-3">
          {toGroups.map(({ groupId }) => (
            <li key={groupId}>
              <Link href={`/groups/${groupId}/update`} className="block py-1 text-link hover:underline">
                {groups.list[groups.indexOf(groupId)]?.name ?? groupId}
              </Link>
            </li>
          ))}
          {toDevices.map(({ imei }) => {
            const row = names.rowOf(imei)
            return (
              <li key={imei}>
                <Link href={`/devices/${imei}`} className="block py-1 text-link hover:underline">
                  {row < 0 ? imei : names.of(row, 'name')}
                </Link>
              </li>
            )
          })}
        </ul>
      )}
    </Panel>
  )
}
