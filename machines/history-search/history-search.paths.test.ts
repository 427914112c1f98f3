import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { DeviceHistory, HistoryPoint } from '../contracts/entities/devices.ts'
import { historyRangeFault } from '../rules/date-range.ts'
import { holdAgainst } from '../testing/oracle.ts'
import { walk } from '../testing/paths.ts'
import { prose } from '../testing/prose.ts'
import type { Range } from './history-search.machine.ts'
import { model } from './history-search.samples.ts'

const found = walk(model)

test('every state and transition is reached', () => expect(found.unreached).toEqual([]))
test('the paths are those on record', () =>
  expect(prose(model, found)).toBe(
    readFileSync(new URL('./history-search.paths.txt', import.meta.url), 'utf8'),
  ))

test('what it knows follows from the events', () => holdAgainst(model, found, oracle))

type Sent = {
  type: string
  range?: Range
  preset?: string
  now?: number
  points?: HistoryPoint[]
  output?: DeviceHistory
}

/**
 * What was answered with what came since the request, each reading once; an offered range follows the present it reaches, one that was
 * typed stays, and nothing belongs to it that came after its end. What is known is of the range until another is asked for.
 */
function oracle(events: readonly Sent[]) {
  let { range } = model.input
  let preset: string | null = model.input.preset
  let reachesNow = range.to >= model.input.now - 120_000
  let history: DeviceHistory | null = null
  let message: string | null = null
  let early: HistoryPoint[] = []
  let isLoading = true
  let isOfRange = false
  for (const { type, points = [], output, now = 0, ...event } of events) {
    if (event.range !== undefined) {
      message = historyRangeFault(event.range.from, event.range.to) ?? null
      if (message !== null) continue
      range = event.range
      preset = event.preset ?? null
      isOfRange = false
      reachesNow = range.to >= now - 120_000
    }
    if ((type === 'resumed' || type === 'retry') && reachesNow) {
      if (preset !== null) range = { from: now - (range.to - range.from), to: now }
      reachesNow = range.to >= now - 120_000
    }
    const { to } = range
    const mine = points.filter(({ dateTime }) => preset !== null || Date.parse(dateTime) <= to)
    if (isLoading) early.push(...mine)
    else if (history !== null) history = extended(history, mine)
    if (output !== undefined) {
      history = reachesNow ? extended(output, early) : output
      isOfRange = true
    }
    isLoading = type === 'readings' ? isLoading : !type.startsWith('xstate')
    if (type !== 'readings') early = []
  }
  return { range, preset, reachesNow, message, history, isOfRange }
}

function extended(history: DeviceHistory, points: readonly HistoryPoint[]): DeviceHistory {
  const known = new Set(history.points.map(({ dateTime }) => dateTime))
  const added = points.filter(({ dateTime }) => !known.has(dateTime) && known.add(dateTime))
  return { ...history, points: [...history.points, ...added], latest: added.at(-1) ?? history.latest }
}
