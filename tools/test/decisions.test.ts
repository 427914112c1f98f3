import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/decisions')
const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
const list = read('README.md')
const files = readdirSync(folder).filter((file) => /^\d{4}-/.test(file))
const numberOf = (file: string): string => file.slice(0, 4)

type Row = { number: string; file: string; title: string; by: string[]; inPart: boolean }
const rows: Row[] = [...list.matchAll(/^\| \[(\d{4})\]\((\S+)\) \| (.*) \|$/gm)].map(
  ([, number = '', file = '', text = '']) => {
    const [, title = text, inPart, by = ''] = /^(.*) \(superseded (in part )?by (.*)\)$/.exec(text) ?? []
    return { number, file, title, by: by.match(/\d{4}/g) ?? [], inPart: inPart !== undefined }
  },
)

/** Numbers the list says are not used: `0024`, and `0073–0075` for all between. */
function unused(): string[] {
  const [, numbers = ''] = /Not used: (.*?)\.\n/.exec(list) ?? []
  return numbers.split(', ').flatMap((each) => {
    const [from = Number.NaN, to = from] = each.split('–').map(Number)
    return Array.from({ length: to - from + 1 }, (_, i) => String(from + i).padStart(4, '0'))
  })
}

/** Numbers of so many before the last may be of decisions that are being written. */
const UNDER_WAY = 20

test('each number is a decision or said not to be used, and not both', () => {
  const known = [...files.map(numberOf), ...unused()]
  expect(known.toSorted()).toEqual([...new Set(known)].toSorted())
  const numbers = Array.from({ length: Number(files.map(numberOf).at(-1)) - UNDER_WAY }, (_, i) => i + 1)
  expect(numbers.filter((number) => !known.map(Number).includes(number))).toEqual([])
})

test('the list names each decision by its title', () => {
  const titles = files.map((file) => {
    const [, number, title] = /^# (\S+) (.*)$/m.exec(read(file)) ?? []
    return { number, file, title }
  })
  expect(rows.map(({ number, file, title }) => ({ number, file, title }))).toEqual(titles)
})

test('what a decision is superseded by stands in it, as in the list', () => {
  const inFiles = files.map((file) => {
    // what is said after the link is the part
    const lines = [...read(file).matchAll(/^Superseded (?:in part )?by \[(\d{4})\]\([^)]*\)(.*)$/gm)]
    return {
      number: numberOf(file),
      by: lines.map(([, by]) => by),
      inPart: lines.some(([, , part]) => part !== '.'),
    }
  })
  expect(rows.map(({ number, by, inPart }) => ({ number, by, inPart }))).toEqual(inFiles)
})
