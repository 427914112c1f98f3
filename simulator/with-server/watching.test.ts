import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerNodeMetrics } from '../../server/admin/node-metrics.ts'
import { alone } from '../../server/cluster/alone.ts'
import { startDemo } from '../testing/start-demo.ts'

const docs = join(import.meta.dirname, '../../docs')
const read = (file: string): string => readFileSync(join(docs, file), 'utf8')

/** Names a server tells on `/metrics`, those without a value yet too, and what Prometheus knows of it by asking. */
let names: Set<string>
let dataDir: string
let open: Awaited<ReturnType<typeof startDemo>>
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'frostline-watching-'))
  open = await startDemo({ DATA_DIR: dataDir, BACKUP_DIR: dataDir, SIMULATOR: 'off' })
  const { text } = await open.send('GET', '/metrics')
  // what a node with a database tells beside that
  const nodes = new Registry()
  registerNodeMetrics(nodes, {
    cluster: alone({ node: 'a', address: '', dataDir: ':memory:' }),
    database: { isUp: () => true },
    isBusUp: () => true,
  })
  const types = [...`${text}\n${await nodes.metrics()}`.matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  names = new Set(['up', ...types.flatMap(([, name = '', kind]) => seriesOf(name, kind))])
})
afterAll(async () => {
  await open.server.close()
  rmSync(dataDir, { recursive: true })
})

const seriesOf = (name: string, kind: string | undefined): string[] =>
  kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name]

/** Metrics an expression of Prometheus names. */
function namedIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/"[^"]*"|\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|on|without|ignoring)\s*\([^)]*\)/g, ' ')
  const words = bare.match(/(?<![\w.])[a-z_][a-z0-9_]*\b(?!\s*\()/g) ?? []
  return words.filter((word) => !['and', 'or', 'unless'].includes(word))
}

type Panel = { title: string; targets?: { expr: string }[]; panels: Panel[] }
const targetsOf = ({ title, targets = [], panels = [] }: Panel): [string, string][] => [
  ...targets.map(({ expr }): [string, string] => [title, expr]),
  ...panels.flatMap(targetsOf),
]
const { panels, templating } = JSON.parse(read('grafana-dashboard.json')) as {
  panels: Panel[]
  templating: { list: { name: string; query: { query: string } | string }[] }
}

test('the names in an expression are found', () => {
  expect(
    namedIn('sum by (le) (rate(a_b_total{status=~"5..", x="y"}[5m])) / c > 1e9 and time() - d_2'),
  ).toEqual(['a_b_total', 'c', 'd_2'])
})

test('the dashboard shows only what a server tells', () => {
  const targets = panels.flatMap(targetsOf)
  expect(targets.length).toBeGreaterThan(30)
  for (const [title, expression] of targets)
    expect([title, namedIn(expression).filter((name) => !names.has(name))]).toEqual([title, []])
  for (const { name, query } of templating.list)
    if (typeof query !== 'string') expect([name, names.has(namedInLabels(query.query))]).toEqual([name, true])
})
/** the first argument of `label_values` */
const namedInLabels = (query: string): string => /^label_values\((\w+)/.exec(query)?.[1] ?? query

test('the alert rules ask only for what a server tells, and each is explained', () => {
  const rules = read('prometheus-alerts.yml').split('- alert: ').slice(1)
  expect(rules.length).toBeGreaterThan(15)
  const explained = read('operations.md')
  for (const rule of rules) {
    const [name = ''] = rule.split('\n')
    const expression = /expr: (?:>-\n)?([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? ''
    const named = namedIn(expression)
    expect([name, named.length > 0, named.filter((each) => !names.has(each))]).toEqual([name, true, []])
    expect(explained).toContain(`\`${name}\``)
  }
})

test('what is written about watching names only what a server tells', () => {
  const [, watching = ''] = read('operations.md').split('\n## What to watch\n')
  const section = watching.split('\n## ')[0] as string
  const named = [...section.matchAll(/`([a-z]+(?:_[a-z0-9]+)+)(?:\{[^`]*\})?`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(15)
  expect(named.filter((name) => !names.has(name) && !names.has(`${name}_bucket`))).toEqual([])
})
