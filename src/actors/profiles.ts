import { useState } from 'react'
import { PROFILE_CALLS } from '#machines/contracts/calls/profile-calls.ts'
import { Profile, type ProfileForm, type ProfileRule } from '#machines/contracts/entities/profiles.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { profileFaults as sharedFaults } from '#machines/rules/profile-form.ts'
import { type RecordForm, useRecordForm } from './record-form.ts'
import { useActing } from './use-acting.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** The profiles of the company, by name; who may change them. */
export const useProfiles = () => useKeptAnswer(PROFILE_CALLS.profiles, {}, { isBackground: true })

/** Every version of a profile, newest first. */
export function useProfileVersions(profileId: string) {
  return useKeptAnswer(PROFILE_CALLS.profileHistory, { params: { profileId } }, { isBackground: true })
}

/**
 * The fields of a profile as they are edited; `rules` as one text, so that two versions of them can be compared. What is typed and is
 * no number yet is NaN in it: null says something.
 */
export type ProfileFields = {
  name: string
  source: string
  rules: string
  mktDecides: boolean
  steepest: number
  low: number
  high: number
}

/** As `rulesText` wrote them, NaN included. */
export const rulesOf = ({ rules }: Pick<ProfileFields, 'rules'>): ProfileRule[] =>
  JSON.parse(rules, (_, value) => (value === 'NaN' ? Number.NaN : value)) as ProfileRule[]
export const rulesText = (rules: readonly ProfileRule[]): string =>
  JSON.stringify(rules, (_, value) => (Number.isNaN(value) ? 'NaN' : value))

const fieldsOf = ({
  name,
  source,
  rules,
  mktDecides,
  steepest,
  surroundings,
}: ProfileForm): ProfileFields => ({
  name,
  source,
  rules: rulesText(rules),
  mktDecides,
  steepest,
  low: surroundings.low,
  high: surroundings.high,
})

const bodyOf = (fields: ProfileFields): ProfileForm => ({
  name: fields.name.trim(),
  source: fields.source.trim(),
  rules: rulesOf(fields),
  mktDecides: fields.mktDecides,
  steepest: fields.steepest,
  surroundings: { low: fields.low, high: fields.high },
})

/** What is wrong with a profile; paths are its fields. */
export function profileFaults(fields: ProfileFields): Fault[] {
  const { name, source, rules, steepest, low, high } = fields
  const faults: Fault[] = []
  const say = (path: keyof ProfileFields, message: string) => faults.push({ path, message })
  if (name.trim() === '') say('name', 'This field is required')
  if (name.length > 200) say('name', 'At most 200 characters')
  if (source.length > 500) say('source', 'At most 500 characters')
  if (!(steepest >= 0.01 && steepest <= 20)) say('steepest', 'Between 0.01 and 20 °C a minute')
  if (Number.isNaN(low)) say('low', 'A number is expected')
  if (Number.isNaN(high)) say('high', 'A number is expected')
  if (low >= high) say('high', 'It must be above the coldest')
  const list = rulesOf({ rules })
  if (list.length === 0) say('rules', 'A profile has one rule at least')
  if (list.some(isUnfinished)) say('rules', 'Each limit and time must be a number')
  else for (const message of ruleFaults(fields)) say('rules', message)
  return faults
}

/** The first of what the server would refuse in the rules, with which of them it is. */
function ruleFaults(fields: ProfileFields): string[] {
  const found = sharedFaults(bodyOf(fields)).find(({ path }) => path.split('.')[0] === 'rules')
  if (found === undefined) return []
  const place = found.path.split('.')[1]
  return [place === undefined ? found.message : `Rule ${Number(place) + 1}: ${found.message}`]
}

/** Whether something in a rule is no number yet. */
export const isUnfinished = (rule: ProfileRule): boolean =>
  rule.kind === 'mkt'
    ? !isNumber(rule.limit) || (rule.onlyAbove !== null && !isNumber(rule.onlyAbove))
    : !isNumber(rule.limit) ||
      (rule.minutes !== null && !(rule.minutes >= 0)) ||
      (rule.ifNeverBeyond !== undefined &&
        !(isNumber(rule.ifNeverBeyond.limit) && isNumber(rule.ifNeverBeyond.minutes)))

const isNumber = Number.isFinite

/** The form of a profile there is; it stays open when it is saved. */
export function useProfileForm(profileId: string, onSaved: () => void): RecordForm<Profile, ProfileFields> {
  const { http, toasts } = useRoot()
  return useRecordForm<Profile, ProfileFields>({
    load: (options) => http.ask(PROFILE_CALLS.profile, { params: { profileId } }, options),
    read: (profile) => ({ fields: fieldsOf(profile), version: profile.version }),
    check: profileFaults,
    save: (fields, _, options) =>
      http.ask(PROFILE_CALLS.changeProfile, { params: { profileId }, body: bodyOf(fields) }, options),
    contract: Profile,
    onSaved() {
      toasts.success('The profile was changed: loads opened from now on have it')
      onSaved()
    },
  })
}

const FIRST_RULE: ProfileRule = {
  kind: 'time',
  side: 'above',
  limit: 8,
  isInclusive: false,
  minutes: 24 * 60,
  isFullAllowed: true,
  spell: 'total',
}
const BLANK: ProfileFields = {
  name: '',
  source: '',
  rules: rulesText([FIRST_RULE]),
  mktDecides: true,
  steepest: 0.5,
  low: -30,
  high: 50,
}

/** The form of a profile of one's own. */
export function useNewProfileForm(): RecordForm<Partial<Profile>, ProfileFields> {
  const { http, toasts, goTo } = useRoot()
  const [made, setMade] = useState<string>()
  return useRecordForm<Partial<Profile>, ProfileFields>({
    load: async () => ({}),
    read: () => ({ fields: BLANK, version: null }),
    check: profileFaults,
    async save(fields, _, options) {
      const profile = await http.ask(PROFILE_CALLS.makeProfile, { body: bodyOf(fields) }, options)
      setMade(profile.profileId)
      return profile
    },
    contract: Profile,
    onSaved: () => toasts.success('The profile was made'),
    onClose: () => goTo(made === undefined ? '/profiles' : `/profiles/${made}`),
  })
}

/** Which groups and devices have which profile, and giving them another. */
export function useAssignments() {
  const { http, toasts } = useRoot()
  const { answer, failure, ask } = useKeptAnswer(PROFILE_CALLS.profileAssignments, {}, { isBackground: true })
  const { isActing, act } = useActing()
  return {
    assignments: answer,
    failure,
    ask,
    isActing,
    assign: (to: { groupId: string } | { imei: string }, profileId: string | null) =>
      act(async () => {
        const body = { profileId }
        if ('groupId' in to) await http.ask(PROFILE_CALLS.assignGroupProfile, { params: to, body })
        else await http.ask(PROFILE_CALLS.assignDeviceProfile, { params: to, body })
        toasts.success('The profile was assigned: loads opened from now on have it')
        ask()
      }),
  }
}
