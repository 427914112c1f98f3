import { describe, expect, test, vi } from 'vitest'
import type { Fact } from '#machines/contracts/facts.ts'
import { countTurns } from '../testing/turns-of-the-loop.ts'
import {
  factsBetween,
  factsInBreaths,
  followLog,
  loadCheckpoint,
  saveCheckpoint,
  untilStored,
} from './log-follower.ts'
import { type CheckpointStore, type LogRecord, StoreUnavailable } from './store.ts'
import { warnWhereUnsaved } from './unsaved-checkpoints.ts'

const factAt = (seq: number): Fact =>
  ({ seq, type: seq % 2 === 0 ? 'group.deleted' : 'user.deleted' }) as Fact

/** A log of `head` facts, of which only their numbers matter. */
function logOf(head: number) {
  const seqs = Array.from({ length: head }, (_, i) => i + 1)
  const log = {
    head: () => seqs.length,
    append: () => seqs.push(seqs.length + 1),
    read: (after: number, limit: number): LogRecord[] =>
      seqs.slice(after, after + limit).map((seq) => ({ seq, kind: 'fact', fact: factAt(seq) })),
    readFacts: (after: number, { limit = 1000, types }: { limit?: number; types?: string[] } = {}) =>
      seqs
        .slice(after)
        .map(factAt)
        .filter(({ type }) => types?.includes(type))
        .slice(0, limit),
  }
  return log
}

function checkpointsInMemory(): CheckpointStore {
  const saved = new Map<string, { seq: number; bytes: Uint8Array }>()
  return {
    load: (name: string) => saved.get(name),
    save(name: string, seq: number, make: () => Uint8Array) {
      saved.set(name, { seq, bytes: make() })
      return true
    },
  } as unknown as CheckpointStore
}

describe('a follower', () => {
  test('takes what is after its position in steps, also what is appended meanwhile', () => {
    const log = logOf(7)
    const follower = followLog(log, { after: 2, recordsAStep: 3 })
    const steps: number[][] = []
    for (const records of follower.steps()) {
      steps.push(records.map(({ seq }) => seq))
      if (log.head() < 9) log.append()
      follower.reached(records.at(-1)?.seq as number)
    }
    expect(steps).toEqual([[3, 4, 5], [6, 7, 8], [9]])
    expect(follower.seq).toBe(9)
  })

  test('whose step was not reached gets it again at the next look, not at once', () => {
    const follower = followLog(logOf(2), { after: 0, recordsAStep: 1 })
    const look = () => [...follower.steps()].map((records) => records[0]?.seq)
    expect([look(), look()]).toEqual([[1], [1]])
  })

  test('answers who waits once their position is reached, and everybody when it stops', async () => {
    const follower = followLog(logOf(9), { after: 0, recordsAStep: 5 })
    const answered: number[] = []
    const waits = [0, 5, 6].map((seq) => follower.settled(seq).then(() => answered.push(seq)))
    follower.reached(5)
    await Promise.all(waits.slice(0, 2))
    expect(answered).toEqual([0, 5])
    follower.stop()
    await waits[2]
    await follower.settled(100)
    expect([...follower.steps()]).toEqual([])
  })
})

test('facts between two positions come page by page, of their types alone', () => {
  const found = [...factsBetween(logOf(4500), ['user.deleted'], { after: 3, upTo: 4400 })]
  expect(found).toHaveLength(2198)
  expect([found[0]?.seq, found.at(-1)?.seq]).toEqual([5, 4399])
})

test('and in breaths: others have their turn between two pages', async () => {
  const { now, stop } = countTurns()
  const turns = new Set<number>()
  const seqs: number[] = []
  for await (const { seq } of factsInBreaths(logOf(4500), ['user.deleted'], { after: 3, upTo: 4400 })) {
    seqs.push(seq)
    turns.add(now())
  }
  stop()
  expect([seqs.length, seqs[0], seqs.at(-1)]).toEqual([2198, 5, 4399])
  expect(turns.size).toBe(5)
})

test('a checkpoint of another shape is passed over', () => {
  const checkpoints = checkpointsInMemory()
  const kind = { name: 'some', shape: 2 }
  expect(loadCheckpoint(checkpoints, kind)).toBeUndefined()
  saveCheckpoint(checkpoints, kind, { places: [1, 2] }, 7)
  expect(loadCheckpoint(checkpoints, kind)).toMatchObject({ seq: 7, places: [1, 2] })
  expect(loadCheckpoint(checkpoints, { ...kind, shape: 3 })).toBeUndefined()
})

test('a checkpoint that cannot be made into bytes is not saved, and operators are told once until one can', () => {
  const warn = vi.fn()
  const checkpoints = warnWhereUnsaved(checkpointsInMemory(), warn)
  const kind = { name: 'some', shape: 1 }
  // V8 refuses it as it does what is too large
  const tooLarge = { places: () => {} }
  expect([1, 2].map((seq) => saveCheckpoint(checkpoints, kind, tooLarge, seq))).toEqual([false, false])
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^checkpoint some cannot be saved, .*cloned/)]])
  expect(saveCheckpoint(checkpoints, kind, { places: [] }, 3)).toBe(true)
  saveCheckpoint(checkpoints, kind, tooLarge, 4)
  expect(warn).toHaveBeenCalledTimes(2)
  expect(loadCheckpoint(checkpoints, kind)?.seq).toBe(3)
})

describe('what the store cannot write now', () => {
  const failing = (times: number) => {
    let left = times
    return async () => {
      if (left-- > 0) throw new StoreUnavailable('disk full')
      return 'stored'
    }
  }
  const sleep = async () => {}

  test('is tried again until it can', async () => {
    expect(await untilStored(failing(3), new AbortController().signal, { sleep })).toBe('stored')
  })
  test('is tried once after the end was asked for, and given up then', async () => {
    const { signal } = { signal: AbortSignal.abort() }
    expect(await untilStored(failing(0), signal, { sleep })).toBe('stored')
    expect(await untilStored(failing(1), signal, { sleep })).toBeUndefined()
  })
  test('fails at once for any other reason', async () => {
    const broken = () => Promise.reject(new RangeError('a fault'))
    await expect(untilStored(broken, new AbortController().signal, { sleep })).rejects.toThrow(RangeError)
  })
})
