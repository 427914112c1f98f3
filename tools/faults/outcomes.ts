import { say } from '../bench/figures.ts'
import { type Fault, type Size, shortened } from './fault.ts'

/** One line of what is printed. */
export type FaultReport = {
  fault: string
  mustHold: string
  tried: string
  lost: string[]
  held: boolean
  seconds: number
}

/** Tries one fault. What it cannot get, or falls over, counts as not held: nothing is skipped. */
export async function attempt({ name, mustHold, run }: Fault, size: Size): Promise<FaultReport> {
  const began = performance.now()
  const reportOf = (tried: string, lost: readonly string[]): FaultReport => ({
    fault: name,
    mustHold,
    tried,
    lost: [...lost],
    held: lost.length === 0,
    seconds: Math.round((performance.now() - began) / 100) / 10,
  })
  try {
    const { tried, lost } = await run(size)
    return reportOf(tried, lost)
  } catch (error) {
    return reportOf('', [error instanceof Error ? error.message.trim() : String(error)])
  }
}

/** As a Markdown table, which reads well on a terminal too. */
export function tableOf(all: readonly FaultReport[]): string {
  const rows = all.map(({ fault, tried, lost, held, seconds }) => [
    fault,
    tried,
    lost.length === 0 ? 'nothing' : shortened(lost).join('; '),
    held ? 'held' : '**not held**',
    say(seconds, 1),
  ])
  const cells = [['fault', 'tried', 'lost', '', 's'], ['---', '---', '---', '---', '---:'], ...rows]
  return cells
    .map((row) => `| ${row.map((cell) => cell.replaceAll(/\s*\n\s*/g, ' ')).join(' | ')} |`)
    .join('\n')
}
