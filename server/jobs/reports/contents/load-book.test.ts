import { extractText } from 'unpdf'
import { expect, test } from 'vitest'
import type { LoadStory } from '#machines/contracts/entities/loads.ts'
import type { ProfileForm } from '#machines/contracts/entities/profiles.ts'
import { SHIPPED_PROFILES } from '#machines/contracts/entities/shipped-profiles.ts'
import { drawLoadBook } from '../draw-load-book.ts'
import { loadBook } from './load-book.ts'

const AT = '2026-06-15T04:00:00.000Z'
const form = SHIPPED_PROFILES['chilled-food'] as ProfileForm

const story = (more: Partial<LoadStory> = {}): LoadStory => ({
  ...{ _id: 'ld-1', reference: 'Lot 7', state: 'rejected', imei: '350000000000001', deviceName: 'Reefer 1' },
  ...{
    plateNumber: 'LES-1',
    groupId: 'g',
    groupName: 'Punjab',
    profileId: 'chilled-food',
    profileName: form.name,
  },
  ...{
    profileNumber: 1,
    openedAt: AT,
    openedBy: 'Ayesha',
    closedAt: AT,
    percent: 100,
    most: 100,
    exhaustsAt: null,
  },
  ...{ exhaustedAt: AT, words: 'Exhausted: hold for review', minutes: 0 },
  decision: { userName: 'Ayesha Malik', at: AT, reason: 'Too warm for too long' },
  profile: {
    ...{
      profileId: 'chilled-food',
      number: 1,
      version: '1',
      ...form,
      isShipped: true,
      changedAt: AT,
      changedBy: null,
    },
  },
  may: { close: false, beginReview: false, decide: false },
  budget: {
    ...{
      state: 'exhausted',
      percent: 100,
      most: 100,
      exhaustsAt: null,
      exhaustedAt: AT,
      asOf: AT,
      temperature: 10,
    },
    ...{ lowest: 4, highest: 10, measuredMinutes: 400, gapMinutes: 30, words: 'Exhausted: hold for review' },
    mkt: { value: 9.1, least: 9, most: 9.3 },
    rules: form.rules.map((rule) => ({
      ...{
        rule,
        used: 365,
        least: 365,
        most: 395,
        allowed: 360,
        percent: 100,
        degreeMinutes: 900,
        exhaustedAt: AT,
      },
    })),
  },
  spells: [{ from: AT, to: null, minutes: 365, side: 'above', limit: 5, worst: 10 }],
  moreSpells: 0,
  places: [{ from: AT, to: AT, place: 'Lahore', lat: 31.5, lng: 74.3 }],
  morePlaces: 0,
  actions: [
    { at: AT, action: 'opened', userName: 'Ayesha Malik', text: '' },
    { at: AT, action: 'rejected', userName: 'Ayesha Malik', text: 'Too warm for too long' },
  ],
  course: { at: [0, 60_000, 120_000], temperature: [4, null, 10], percent: [0, null, 2] },
  ...more,
})
const pdfText = async (bytes: Uint8Array) => (await extractText(bytes, { mergePages: true })).text
const about = (one: LoadStory) => ({
  story: one,
  company: { companyId: 'indus', name: 'Indus', timeZone: 'Asia/Karachi' },
  ...{ madeFor: 'Danish', madeAt: Date.parse(AT) },
})
const made = (one: LoadStory) => loadBook(about(one))

test('the story of a load is on paper, in the company’s zone', async () => {
  const text = await pdfText(await made(story()))
  for (const part of [
    'Lot 7',
    'Rejected by Ayesha Malik: Too warm for too long',
    '15-06-2026 09:00',
    'Lahore',
    '6 h 05',
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/6 h 05\s+6 h 05\s+6 h 35\s+15-06-2026 09:00/)
  expect(text).toContain('15-06-2026 09:00 to 15-06-2026 09:00 Asia/Karachi')
})

test('of one that is under way it says since when, and the mean of a rule to the hundredth by which it is exhausted', async () => {
  const { budget } = story()
  const rule = { kind: 'mkt', limit: 8, hours: 24, onlyAbove: 8 } as const
  const [first] = budget.rules
  if (first === undefined) throw new Error('the load of the tests has a rule')
  const rules = [{ ...first, rule, used: 8.01, least: 7.9, most: -68.3 }]
  const text = await pdfText(await made(story({ closedAt: null, budget: { ...budget, rules } })))
  expect(text).toContain('since 15-06-2026 09:00, not closed yet, Asia/Karachi')
  expect(text).toMatch(
    /Mean kinetic of any 24 h in which it was above 8 °C at most 8 °C\s+8\.01 °C\s+7\.90 °C\s+−68\.30 °C\s+15-06-2026 09:00/,
  )
})

test('why it was decided is on it to the last word', async () => {
  const reason = `${'The door of the store stood open while the second truck was unloaded, and the probe hangs right above it; goods were measured at 4.1 °C at 07:20, '.repeat(2)}so it is rejected`
  const actions = [{ at: AT, action: 'rejected' as const, userName: 'Ayesha Malik', text: reason }]
  const text = await pdfText(
    await made(story({ decision: { userName: 'Ayesha Malik', at: AT, reason }, actions })),
  )
  expect(text.replaceAll(/\s/g, '')).toContain(reason.replaceAll(/\s/g, ''))
})

test('who signed its decision stands on it, with what it means and the time with its zone', async () => {
  const signOff = { meaning: 'rejected', name: 'Ayesha Malik', at: AT, zone: 'Asia/Karachi' } as const
  const decision = { userName: 'ayesha', at: AT, reason: 'Too warm for too long', signOff }
  const text = await pdfText(await made(story({ decision })))
  expect(text).toMatch(/Rejected for use\s+Ayesha Malik\s+15-06-2026 09:00(:00)? Asia\/Karachi/)
  expect(await pdfText(await made(story()))).not.toContain('Signed')
})

test('of which nothing is known yet it says so, and the same makes the same bytes', async () => {
  const empty = story({ spells: [], places: [], course: { at: [], temperature: [], percent: [] } })
  const text = await pdfText(await made(empty))
  expect(text).toContain('Never beyond a limit of its profile')
  expect(Buffer.from(await made(empty)).equals(Buffer.from(await made(empty)))).toBe(true)
})

test('whose readings are no longer kept says so, and not that it never was beyond a limit', async () => {
  const { budget } = story()
  const none = { used: null, least: null, most: null, percent: null, degreeMinutes: null, exhaustedAt: null }
  const gone = story({
    ...{ spells: [], places: [], course: { at: [], temperature: [], percent: [] } },
    keptFrom: '2026-06-25T00:00:00.000Z',
    budget: {
      ...{ ...budget, asOf: null, lowest: null, highest: null, mkt: null, measuredMinutes: 0, gapMinutes: 0 },
      rules: budget.rules.map((rule) => ({ ...rule, ...none })),
    },
  })
  const text = await pdfText(await made(gone))
  expect(text).toContain('Its readings are no longer kept: what was published of it stays.')
  expect(text).toContain('Never beyond a limit of its profile, as far as its readings are kept.')
  expect(text).toContain('Its position is no longer kept.')
  expect(text).not.toMatch(/\bno\b(?! longer)|0 min|not measured/)
  const left = await pdfText(await made(story({ keptFrom: AT, closedAt: '2026-06-16T04:00:00.000Z' })))
  expect(left).toMatch(/Its readings of before .+ are no longer kept/)
})

test('of one that was released and is exhausted again nobody decided yet', async () => {
  const signOff = { meaning: 'released', name: 'Ayesha Malik', at: AT, zone: 'Asia/Karachi' } as const
  const decision = { userName: 'Ayesha Malik', at: AT, reason: 'The door stood open', signOff }
  const exhausted = await pdfText(await made(story({ state: 'exhausted', decision })))
  expect(exhausted).toContain('Exhausted: hold for review')
  const reviewed = await pdfText(await made(story({ state: 'in-review', decision })))
  expect(reviewed).toContain('In review. Exhausted: hold for review')
  for (const text of [exhausted, reviewed]) expect(text).not.toMatch(/by Ayesha Malik:|Signed/)
})

test('says for how long it was not heard, from its opening to its closing', async () => {
  const text = await pdfText(await made(story({ minutes: 1200 })))
  expect(text).toMatch(/Without readings[\s\S]*13 h 20/)
})

test('goes over as many pages as it takes', async () => {
  const spells = Array.from({ length: 100 }, () => story().spells[0] as LoadStory['spells'][number])
  const text = await pdfText(await made(story({ spells, moreSpells: 7 })))
  expect(text).toContain('of 3')
  expect(text).toContain('and 7 more')
})

test('is drawn on a thread as it is here, and one that cannot be drawn fails alone', async () => {
  const broken = { ...about(story()), company: { companyId: 'c', name: 'C', timeZone: 'Nowhere' } }
  const [failed, drawn] = await Promise.allSettled([drawLoadBook(broken), drawLoadBook(about(story()))])
  expect(failed).toMatchObject({ status: 'rejected', reason: { name: 'RangeError' } })
  expect(drawn).toMatchObject({ status: 'fulfilled' })
  const value = drawn.status === 'fulfilled' ? drawn.value : undefined
  expect(Buffer.from(value ?? []).equals(Buffer.from(await made(story())))).toBe(true)
})
