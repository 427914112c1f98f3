import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import type { Profile } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'

export const IMEI = '356307042441013'
const HOUR = 3_600_000
/** When the load of the samples was opened. */
export const OPENED = Date.UTC(2026, 10, 25, 6)

/** A shipped profile as a company has it that never changed it. */
export function profileOf(profileId: string, given: Partial<Profile> = {}): Profile {
  const form = SHIPPED_PROFILES[profileId]
  if (form === undefined) throw new Error(`There is no profile ${profileId}`)
  return {
    ...form,
    profileId,
    number: 0,
    version: '0',
    isShipped: true,
    changedAt: null,
    changedBy: null,
    ...given,
  }
}

/** A load with its story: eight hours, at 12 °C after four; as much of it as is wanted is said otherwise. */
export function loadOf(given: Partial<LoadStory> = {}): LoadStory {
  const profile = profileOf('medicines-2-8')
  const at = Array.from({ length: 33 }, (_, i) => OPENED + (i * HOUR) / 4)
  const temperature = at.map((_, i) => (i < 16 ? 5 : 12))
  const iso = (hours: number): string => new Date(OPENED + hours * HOUR).toISOString()
  const percent = 62
  const words = '62 % used, at this temperature exhausted 16:40'
  const unused = { used: 0, least: 0, most: 0, allowed: 0, percent: 0, degreeMinutes: 0, exhaustedAt: null }
  return {
    _id: 'l1',
    reference: 'Insulin, lot 7',
    state: 'at-risk',
    imei: IMEI,
    deviceName: 'Reefer 1',
    plateNumber: 'LES-1',
    groupId: 'top',
    groupName: 'Indus',
    profileId: profile.profileId,
    profileName: profile.name,
    profileNumber: 1,
    openedAt: iso(0),
    openedBy: 'Aisha Khan',
    closedAt: null,
    percent,
    most: 85,
    exhaustsAt: iso(10),
    exhaustedAt: null,
    words,
    decision: null,
    profile,
    budget: {
      state: 'at-risk',
      percent,
      most: 85,
      exhaustsAt: iso(10),
      exhaustedAt: null,
      asOf: iso(8),
      temperature: 12,
      lowest: 5,
      highest: 12.4,
      measuredMinutes: 420,
      gapMinutes: 60,
      mkt: { value: 7.24, least: 6.79, most: 7.61 },
      rules: profile.rules.map((rule, i) => ({
        rule,
        ...unused,
        ...(i === 1 && { used: 892, least: 245, most: 1224, allowed: 1440, percent, degreeMinutes: 960 }),
        ...(rule.kind === 'mkt' && { used: 7.24, least: 6.79, most: 7.61, allowed: 8, percent: 40 }),
      })),
      words,
    },
    may: { close: true, beginReview: false, decide: false },
    minutes: 480,
    spells: [{ from: iso(4), to: null, minutes: 240, side: 'above', limit: 8, worst: 12.4 }],
    moreSpells: 0,
    places: [
      { from: iso(0), to: iso(3), place: 'Lahore', lat: 31.52, lng: 74.35 },
      { from: iso(3), to: iso(8), place: '12 km S of Okara', lat: 30.7, lng: 73.4 },
    ],
    morePlaces: 0,
    actions: [{ at: iso(0), action: 'opened', userName: 'Aisha Khan', text: '' }],
    course: { at, temperature, percent: at.map((_, i) => (i < 16 ? 0 : (i - 16) * 4)) },
    ...given,
  }
}
