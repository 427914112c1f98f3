import { complaintsOf, isWalked, type Unwalked, type Walked } from './machines.ts'

/** The machines in a table, and how to go on. `staged`: those that are walked in a browser. */
export function tableOf(found: (Walked | Unwalked)[], staged: readonly string[]): string {
  const head = ['machine', 'kind', 'states', 'transitions', 'paths', 'in a browser']
  const rows = found.map((one) => {
    const browser = staged.includes(one.name) ? 'yes' : 'no'
    if (!isWalked(one)) return [one.name, '', '', '', '0', browser]
    const { model, whole } = one
    const counts = [whole.states, whole.transitions, whole.paths].map(({ length }) => `${length}`)
    return [one.name, model.kind, ...counts, browser]
  })
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => (row[i] ?? '').length)))
  const line = (cells: string[]) =>
    cells
      .map((cell, i) => (i >= 2 && i <= 4 ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0)))
      .join('  ')
      .trimEnd()
  const complaints = found.flatMap(complaintsOf)
  return [
    ...[head, ...rows].map(line),
    '',
    ...complaints,
    ...(complaints.length > 0 ? [''] : []),
    ...hints(found.find(isWalked)?.name ?? '<machine>'),
    '',
  ].join('\n')
}

function hints(machine: string): string[] {
  const hints = [
    [machine, 'its paths as sentences'],
    [`${machine} --run`, 'walks them in a browser'],
    [`${machine} --to '<transition>'`, 'the shortest path to one'],
    ['--help', 'all there is'],
  ]
  const width = Math.max(...hints.map(([call = '']) => call.length))
  return hints.map(([call = '', what]) => `npm run paths -- ${call.padEnd(width)}  ${what}`)
}
