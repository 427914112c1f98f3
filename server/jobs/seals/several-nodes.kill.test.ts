import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import type { SealHead } from '#machines/contracts/entities/seals.ts'
import { emptyDatabase } from '../../../tools/local-cluster/test-database.ts'
import { openPostgresStore } from '../../store/postgres/open.ts'
import { verifyLog } from './verify-log.ts'

const SCRIPT = join(import.meta.dirname, 'testing/sealing-node.ts')
/** Heads a node gives out before something is done to it. */
const HEADS = 4

/** What befalls whoever leads: between what it appended and the head over that, or as soon as a head is given out. */
const BLOWS = [
  { how: 'SIGKILL', at: 'appended' },
  { how: 'SIGSTOP', at: 'head' },
  { how: 'SIGSTOP', at: 'appended' },
  { how: 'SIGKILL', at: 'head' },
] as const

/** A node that runs, and what it said; `until` resolves when it has said a line of a kind so often since it was asked. */
type Node = {
  name: string
  process: ChildProcess
  heads: SealHead[]
  warnings: string[]
  until(kind: string, times: number): Promise<void>
}

const nodes: Node[] = []
afterEach(async () => {
  for (const { process } of nodes.splice(0)) await killed(process)
})

async function killed(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null || process.signalCode !== null) return
  const ended = once(process, 'exit')
  process.kill('SIGKILL')
  await ended
}

/** Said by any node. */
const listeners = new Set<(node: Node, kind: string) => void>()

function start(url: string, name: string): Node {
  const process = spawn(globalThis.process.execPath, [SCRIPT, url, name, String(nodes.length)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const node: Node = {
    ...{ name, process, heads: [], warnings: [] },
    until: async (kind, times) => void (await reported(times, (one, its) => one === node && its === kind)),
  }
  createInterface({ input: process.stdout }).on('line', (line) => {
    const [kind = '', ...words] = line.split(' ')
    if (kind === 'head') node.heads.push(JSON.parse(words.join(' ')))
    if (kind === 'warn') node.warnings.push(words.join(' '))
    for (const listener of [...listeners]) listener(node, kind)
  })
  nodes.push(node)
  return node
}

/** The node that says the last of so many lines that are looked for. */
function reported(times: number, isMeant: (node: Node, kind: string) => boolean): Promise<Node> {
  return new Promise((resolve) => {
    let left = times
    const listener = (node: Node, kind: string): void => {
      if (!isMeant(node, kind) || --left > 0) return
      listeners.delete(listener)
      resolve(node)
    }
    listeners.add(listener)
  })
}

/** Another than this one leads, and has signed. */
async function takesOver(from: Node): Promise<Node> {
  return reported(HEADS, (node, kind) => node !== from && kind === 'head')
}

test('of three nodes that write, those that lead are killed and frozen, each twice: one tree, and no two heads of one size', async () => {
  const url = await emptyDatabase()
  for (const name of ['ayub', 'benazir', 'chand']) start(url, name)
  let leading = await reported(HEADS, (_, kind) => kind === 'head')
  for (const [round, { how, at }] of BLOWS.entries()) {
    // on a busy machine another may lead by now: a head is given out by whoever does
    if (at === 'head') leading = await reported(1, (_, kind) => kind === at)
    else await leading.until(at, 1)
    leading.process.kill(how)
    const before = leading
    leading = await takesOver(before)
    expect(leading).not.toBe(before)
    if (how === 'SIGKILL') {
      start(url, `${before.name}-${round}`)
      continue
    }
    // it wakes in the middle of what it did as the one that leads
    before.process.kill('SIGCONT')
    await Promise.all([before.until('appended', 5), reported(HEADS, (_, kind) => kind === 'head')])
  }
  for (const { process } of nodes) await killed(process)

  expect(nodes.flatMap(({ warnings }) => warnings)).toEqual([])
  const heads = nodes.flatMap((node) => node.heads).sort((a, b) => a.size - b.size)
  expect(new Set(nodes.filter((node) => node.heads.length > 0)).size).toBeGreaterThan(2)
  expect(new Set(heads.map(({ size }) => size)).size, 'no two heads of one size').toBe(heads.length)
  expect(new Set(heads.map(({ keyId }) => keyId)).size).toBe(1)
  const store = await openPostgresStore({ database: url, dir: ':memory:', clock: { now: () => 0 } })
  try {
    const found: string[] = []
    for await (const step of verifyLog(store, heads))
      found.push(...step.found.map(({ part, key, reason }) => `${part} ${key}: ${reason}`))
    expect(found).toEqual([])
    const { size } = await store.seals.size()
    expect(size).toBeGreaterThanOrEqual(heads.at(-1)?.size ?? 0)
    // each was kept before it was given out
    const kept = new Set((await store.seals.heads({ limit: 1e6 })).map(({ signature }) => signature))
    expect(heads.filter(({ signature }) => !kept.has(signature))).toEqual([])
  } finally {
    await store.close()
  }
})
