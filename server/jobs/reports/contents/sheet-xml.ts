import type { LocalTime } from './local-time.ts'

/**
 * How the values of a column are shown. `text` stays text whatever it begins with; `time` and `date`: epoch ms, shown
 * as a clock in the zone of the report does; `hours`: ms, shown as hours, minutes, seconds.
 */
export const FORMATS = {
  text: undefined,
  whole: '#,##0',
  one: '#,##0.0',
  two: '0.00',
  three: '0.000',
  place: '0.00000',
  time: 'dd-mm-yyyy hh:mm:ss',
  date: 'dd-mm-yyyy',
  hours: '[h]:mm:ss',
} as const
export type Format = keyof typeof FORMATS

/** What stands in a column: its heading with the unit, its width in characters, and how its values are shown. */
export type Column = { heading: string; width: number; as: Format }

/** A cell, as its column wants it; null, undefined and NaN are empty. */
export type Value = string | number | null | undefined

const DAY = 86_400_000

/** Writes rows of a sheet as XML. `styles`: the number of each column's style. */
export function createRowWriter(columns: readonly Column[], styles: readonly number[], local: LocalTime) {
  const letters = columns.map((_, i) => columnLetters(i))
  const texts = columns.map((_, i) => ` s="${styles[i]}" t="inlineStr"><is><t xml:space="preserve">`)
  const numbers = columns.map((_, i) => ` s="${styles[i]}"><v>`)
  const numberOf = (as: Format, value: number): number => {
    if (as === 'time' || as === 'date') return local.serial(value)
    return as === 'hours' ? value / DAY : value
  }
  /** @param row counted from 1 */
  return (row: number, values: readonly Value[]): string => {
    let xml = `<row r="${row}">`
    for (let i = 0; i < values.length; i++) {
      const value = values[i]
      if (value === null || value === undefined || value === '') continue
      const { as } = columns[i] as Column
      if (as === 'text') xml += `<c r="${letters[i]}${row}"${texts[i]}${xmlText(String(value))}</t></is></c>`
      else if (Number.isFinite(value))
        xml += `<c r="${letters[i]}${row}"${numbers[i]}${numberOf(as, value as number)}</v></c>`
    }
    return `${xml}</row>`
  }
}

/** A, B, …, Z, AA, … */
export function columnLetters(index: number): string {
  const last = String.fromCharCode(65 + (index % 26))
  return index < 26 ? last : columnLetters(Math.floor(index / 26) - 1) + last
}

/**
 * Text inside an element: what XML cannot hold is left out, and `_x0041_`, which a spreadsheet would read as a letter,
 * is told not to be one.
 */
export function xmlText(text: string): string {
  if (/^[\w .,:;()+#°%/-]*$/.test(text) && !text.includes('_x')) return text
  return text
    .toWellFormed()
    .replace(NO_XML, '')
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML 1.0 cannot hold
const NO_XML = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g
