import { Plus } from 'lucide-react'
import { Link } from 'wouter'
import { PROFILE_CALLS } from '#machines/contracts/calls/profile-calls.ts'
import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { ruleWords } from '#machines/rules/budget-words.ts'
import { counted } from '#machines/rules/figures.ts'
import { useAssignments } from '../../actors/profiles.ts'
import { useKeptAnswer } from '../../actors/use-kept-answer.ts'
import { versionWords } from '../../format/profile-words.ts'
import { KeptList } from '../../layout/kept-list.tsx'
import { Page, Panel } from '../../layout/page.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonLook } from '../../ui/button-look.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** `/profiles`: what goods may be exposed to, as shipped with their source and as the company has them. */
export default function Profiles() {
  const { answer, failure, ask } = useKeptAnswer(PROFILE_CALLS.profiles, {})
  const { assignments } = useAssignments()
  return (
    <Page
      title="Profiles"
      description="What goods may be exposed to. A load is evaluated by the version it was opened with."
      actions={
        answer?.mayChange && (
          <Link href="/profiles/add" className={buttonLook('primary')}>
            <Plus size={16} aria-hidden />
            Add Profile
          </Link>
        )
      }
    >
      <KeptList what="The profiles" isThere={answer !== undefined} failure={failure} onRetry={ask}>
        {() => (
          <ul aria-label="Profiles" className="grid gap-4 desk:grid-cols-2 wall:grid-cols-3">
            {(answer?.profiles ?? []).map((profile) => (
              <ProfileCard
                key={profile.profileId}
                profile={profile}
                groups={
                  assignments?.groups.filter(({ profileId }) => profileId === profile.profileId).length ?? 0
                }
                devices={
                  assignments?.devices.filter(({ profileId }) => profileId === profile.profileId).length ?? 0
                }
              />
            ))}
          </ul>
        )}
      </KeptList>
    </Page>
  )
}

type CardProps = { profile: Profile; groups: number; devices: number }

function ProfileCard({ profile, groups, devices }: CardProps) {
  const { profileId, name, source, rules, changedAt, changedBy } = profile
  return (
    <li className="min-w-0">
      <Panel className="flex h-full flex-col gap-2 p-4">
        <div className="flex items-start gap-2">
          <h2 className="min-w-0 flex-1 font-semibold">
            <Link href={`/profiles/${profileId}`} className="text-link hover:underline">
              {name}
            </Link>
          </h2>
          <Badge>{versionWords(profile)}</Badge>
        </div>
        <ul className="flex list-disc flex-col gap-0.5 pl-4 marker:text-ink-faint">
          {rules.map((rule) => (
            <li key={JSON.stringify(rule)}>{ruleWords(rule)}</li>
          ))}
        </ul>
        <p className="mt-auto text-dense text-ink-soft">
          {source !== '' && `Source: ${source}`}
          {source !== '' && changedAt !== null && ' · '}
          {changedAt !== null && (
            <>
              {`set by ${changedBy?.name ?? 'Frostline'} `}
              <RelativeTime at={changedAt} />
            </>
          )}
        </p>
        <p className="text-dense text-ink-faint">{assignedWords(groups, devices)}</p>
      </Panel>
    </li>
  )
}

/** "Assigned to 2 groups and 1 device" */
export function assignedWords(groups: number, devices: number): string {
  const parts = [groups > 0 && counted(groups, 'group'), devices > 0 && counted(devices, 'device')].filter(
    Boolean,
  )
  return parts.length === 0 ? 'Assigned to nothing' : `Assigned to ${parts.join(' and ')}`
}
