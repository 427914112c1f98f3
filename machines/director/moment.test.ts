import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { START, statusAt, worldAt } from './director.samples.ts'
import { MOMENT_LASTS, outcomeOfMoment, queryOf, readMoment } from './moment.ts'

const world = worldAt(START + 60_000)
const paused = {
  id: 'a1',
  at: START,
  what: 'Paused',
  kind: 'clock.pause' as const,
  canUndo: true,
  undoneAt: null,
}
const broke = { ...paused, kind: 'fault.inject' as const }

describe('an address that asks for a moment', () => {
  test('of this world, which has not come to it, lets it go on', () => {
    expect(outcomeOfMoment('?scenario=dairy-dawn&seed=7&t=5400', world)).toEqual({
      kind: 'ahead',
      seconds: 5340,
    })
    expect(outcomeOfMoment('?scenario=dairy-dawn&t=2026-06-15T02:00:00Z', world)).toEqual({
      kind: 'ahead',
      seconds: 3540,
    })
  })

  test('of this world, with a hand on its clock alone, lets it go on; after anything else it is another world', () => {
    const query = '?scenario=dairy-dawn&seed=7&t=5400'
    expect(outcomeOfMoment(query, { ...world, actions: [paused] }).kind).toBe('ahead')
    expect(outcomeOfMoment(query, { ...world, actions: [broke] }).kind).toBe('elsewhere')
    expect(outcomeOfMoment(query, { ...world, actions: [{ ...broke, undoneAt: START }] }).kind).toBe('ahead')
  })

  test('that is passed, or of another scenario, seed or size, opens it', () => {
    expect(outcomeOfMoment('?scenario=dairy-dawn&t=0', worldAt(START + 7_200_000))).toEqual({
      kind: 'elsewhere',
      opening: { scenario: 'dairy-dawn', at: 0 },
      title: 'Dairy dawn',
      at: START,
    })
    expect(outcomeOfMoment('?scenario=heat-wave&seed=3&t=60', world)).toEqual({
      kind: 'elsewhere',
      opening: { scenario: 'heat-wave', seed: 3, at: 60 },
      title: 'Heat wave',
      at: START + 86_460_000,
    })
    for (const other of ['seed=8', 'devices=100'])
      expect(outcomeOfMoment(`?scenario=dairy-dawn&${other}&t=90`, world).kind).toBe('elsewhere')
  })

  test('lasts longer on a fast clock, and for who was taken there until it is looked at', () => {
    const query = '?scenario=dairy-dawn&seed=7&t=5400'
    const past = (seconds: number, speed: number) => {
      const late = worldAt(START + (5400 + seconds) * 1000)
      return { ...late, status: { ...late.status, speed } }
    }
    expect(outcomeOfMoment(query, past(60, 1)).kind).toBe('elsewhere')
    expect(outcomeOfMoment(query, past(4999, 1000))).toEqual({ kind: 'there' })
    expect(outcomeOfMoment(query, past(5000, 1000)).kind).toBe('elsewhere')
    expect(outcomeOfMoment(query, past(86_400, 1), true)).toEqual({ kind: 'there' })
    expect(outcomeOfMoment(query, past(-1, 1), true).kind).toBe('ahead')
    expect(outcomeOfMoment('?scenario=heat-wave&t=60', past(60, 1), true).kind).toBe('elsewhere')
  })

  test.each([
    [
      '?scenario=moon',
      'There is no scenario called “moon” on this server. One that was saved opens only where its file is.',
    ],
    ['?scenario=dairy-dawn&seed=-1', 'The seed is a whole number from 0 on, not “-1”.'],
    ['?scenario=dairy-dawn&devices=0', 'The number of devices is a whole number from 1 on, not “0”.'],
    ['?scenario=dairy-dawn&t=2026-06-14T00:00Z', 'The moment lies before the start of the scenario.'],
    [
      '?scenario=dairy-dawn&t=soon',
      'The moment is seconds after the start (5400) or a time (2026-06-15T08:30:00Z), not “soon”.',
    ],
  ])('%s is wrong in words', (query, fault) => {
    expect(outcomeOfMoment(query, world)).toEqual({ kind: 'wrong', faults: [fault] })
  })
})

test('whatever an address says, it is read or refused in words', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (scenario, seed, t) => {
      const query = `?${new URLSearchParams({ scenario, seed, t })}`
      const { moment, faults } = readMoment(query)
      const isWhole = Number.isSafeInteger(moment.seed)
      expect(isWhole || faults.length > 0).toBe(true)
      expect(outcomeOfMoment(query, world).kind).toMatch(/wrong|there|ahead|elsewhere/)
    }),
  )
})

test('the address of a moment leads to it, as long as it lasts', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000_000 }),
      fc.nat({ max: MOMENT_LASTS - 1000 }),
      (ms, later) => {
        const then = START + ms
        const query = queryOf(statusAt(then), world.scenarios)
        expect(outcomeOfMoment(query, worldAt(then + later))).toEqual({ kind: 'there' })
      },
    ),
  )
  expect(queryOf(statusAt(START + 5_400_500), world.scenarios)).toBe('?scenario=dairy-dawn&seed=7&t=5400')
  expect(queryOf({ ...statusAt(START), devices: 60 }, world.scenarios)).toBe(
    '?scenario=dairy-dawn&seed=7&devices=60&t=0',
  )
})
