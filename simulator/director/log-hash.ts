import { setImmediate as breath } from 'node:timers/promises'
import type { Fact, FactType } from '#machines/contracts/facts.ts'
import type { EventLog, ReadModels } from '../../server/ports.ts'

/** What the world led to, in one number that two runs can be compared by. */
export type LogHash = {
  /**
   * 16 hexadecimal digits: of the facts of devices up to what the read models hold, whatever order they came in. The same for the
   * same scenario, seed and moment, at any speed. After a restart complete when `caughtUp` resolves.
   */
  value(): string
  /** how many facts are in it */
  facts(): number
  readonly caughtUp: Promise<void>
}

/** What follows from readings alone. Not what people did, nor what is found in the past behind, which has a pace of its own. */
const HASHED = [
  'violation.opened',
  'violation.cleared',
  'device-status.changed',
  'sensor.unplugged',
  'sensor.plugged-in',
] as const satisfies FactType[]

const FACTS_A_BREATH = 500

/** Reads what the log has in small breaths, and follows it from then on. */
export function createLogHash(log: EventLog, readModels: Pick<ReadModels, 'seq' | 'onAdvance'>): LogHash {
  // sums, so that it does not matter in which order the facts of two devices came in
  const sum = new Uint32Array(2)
  const turns = new Map<string, number>()
  let facts = 0

  const add = (fact: Fact): void => {
    const text = textOf(fact, turns)
    if (text === undefined) return
    const [a, b] = hashOf(text)
    sum[0] = (sum[0] as number) + a
    sum[1] = (sum[1] as number) + b
    facts++
  }

  async function readUpTo(head: number): Promise<void> {
    for (let after = 0; after < head; ) {
      const some = log.readFacts(after, { limit: FACTS_A_BREATH, types: [...HASHED] })
      for (const fact of some) if (fact.seq <= head) add(fact)
      after = some.length < FACTS_A_BREATH ? head : (some.at(-1)?.seq ?? head)
      await breath()
    }
  }

  const caughtUp = readUpTo(readModels.seq)
  // told to whoever waits for it
  caughtUp.catch(() => {})
  readModels.onAdvance((advance) => {
    for (const fact of advance.facts) add(fact)
  })
  return { value: () => hex(sum[0] as number) + hex(sum[1] as number), facts: () => facts, caughtUp }
}

/**
 * What of a fact follows from the readings. When a device is back after it had been silent is not in it: that depends on when
 * what it had kept was stored. `turns`: how often a device went which way so far.
 */
function textOf({ type, at, data }: Fact, turns: Map<string, number>): string | undefined {
  switch (type) {
    case 'violation.opened':
      return [type, data.violationId, at, data.threshold, data.value, data.lat, data.lng].join(' ')
    case 'violation.cleared':
      return [type, data.violationId, at, data.value, data.worst, data.reason].join(' ')
    case 'sensor.unplugged':
    case 'sensor.plugged-in':
      return `${type} ${data.imei} ${at}`
    case 'device-status.changed': {
      const way = `${type} ${data.imei} ${data.from} ${data.to}`
      if (data.from !== 'offline' || data.to !== 'online') return `${way} ${at}`
      const turn = (turns.get(way) ?? 0) + 1
      turns.set(way, turn)
      return `${way} ${turn}`
    }
    default:
      return undefined
  }
}

/** Two independent halves: FNV-1a and a multiplicative one, each mixed at the end (MurmurHash3's finaliser). */
function hashOf(text: string): [number, number] {
  let a = 0x811c9dc5
  let b = 0x9e3779b9
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ (b >>> 15), 0x85ebca6b) + code
  }
  return [mixed(a), mixed(b)]
}

function mixed(value: number): number {
  let h = value
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const hex = (half: number): string => half.toString(16).padStart(8, '0')
