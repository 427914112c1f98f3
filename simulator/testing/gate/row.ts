import { WHO, WHOSE, type Who, type Whose } from './who.ts'

/** What a cell says: a status for each of WHOSE, or one where it makes no difference; 0 stands for any answer. */
export type Expected = Record<Whose, number> | number

/** One line of the table. `tried` says where the id stands that is tried. */
export type Row = { route: string; tried: string; cells: [Who, Expected][] }

const ROUTE = /^(GET|POST|PUT|DELETE|PATCH) +(\/\S*) +(\S+) +(.+)$/

/** The lines of the table that start with a method. @throws Error for one that cannot be read */
export function readTable(table: string): Row[] {
  return table
    .split('\n')
    .filter((line) => /^[A-Z]+ /.test(line))
    .map((line) => {
      const [, method, path, tried = '', rest = ''] = ROUTE.exec(line) ?? []
      const cells = rest.trim().split(/\s+/)
      if (cells.length !== WHO.length) throw new Error(`${WHO.length} cells are wanted: ${line}`)
      return {
        route: `${method} ${path}`,
        tried,
        cells: WHO.map((who, i): [Who, Expected] => [who, readCell(cells[i] as string)]),
      }
    })
}

function readCell(cell: string): Expected {
  if (cell === 'yes') return 0
  if (/^\d{3}$/.test(cell)) return Number(cell)
  const [letters = '', ...exceptions] = cell.split(',')
  if (!/^(-|[ocpsfr]+)$/.test(letters) || !exceptions.every((text) => /^[ocpsfr]+=\d{3}$/.test(text)))
    throw new Error(`a cell of the table cannot be read: ${cell}`)
  const statusOf = (letter: string): number => {
    const exception = exceptions.find((text) => text.split('=')[0]?.includes(letter))
    if (exception !== undefined) return Number(exception.split('=')[1])
    return letters.includes(letter) ? 0 : 404
  }
  return Object.fromEntries(WHOSE.map((whose) => [whose, statusOf(whose.charAt(0))])) as Record<Whose, number>
}
