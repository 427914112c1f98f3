import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ELEMENTS, type Element } from './elements.ts'

const page = readFileSync(new URL('../../../../docs/trackers.md', import.meta.url), 'utf8')

/** An element as a row of the page. */
function rowOf({ ids, name, value, bytes, scale, unit, most, faults, ambiguous }: Element): string {
  const width = value === 'list' ? 'any' : `${bytes.join(' or ')}${value === 'signed' ? ', signed' : ''}`
  const measure = unit === '' ? '' : scale === 1 ? unit : `1/${scale} ${unit}`
  const limits = [
    ...(Number.isFinite(most) ? [`at most ${most}`] : []),
    ...(faults.length > 0 ? [`not ${faults.join(', ')}`] : []),
    ...(ambiguous.length > 0 ? [`without humidity not ${ambiguous.join(', ')}`] : []),
  ]
  return `| ${idsOf(ids)} | ${name} | ${width} | ${measure} | ${limits.join('; ')} |`
}

function idsOf(ids: readonly number[]): string {
  const [first = 0] = ids
  const isRun = ids.length > 2 && ids.every((id, i) => id === first + i)
  return isRun ? `${first}–${ids.at(-1)}` : ids.join(', ')
}

test('the page lists the elements that are read, as they are read', () => {
  const [, table = ''] = /<!-- elements -->\n(.*)<!-- \/elements -->/s.exec(page) ?? []
  const rows = [
    '| id | element | bytes | in | values |',
    '|---|---|---|---|---|',
    ...Object.values(ELEMENTS).map(rowOf),
  ]
  expect(table).toBe(`${rows.join('\n')}\n`)
})

test('no id is two elements', () => {
  const ids = Object.values(ELEMENTS).flatMap((element) => element.ids)
  expect(new Set(ids).size).toBe(ids.length)
})
