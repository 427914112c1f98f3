import type { Taken } from '#machines/contracts/calls/lab-calls.ts'
import type { Look } from './chart-svg.ts'

/** How a chart looks by what one source has covered of it. */
export function lookOf(taken: Taken | undefined, source: string): Pick<Look, 'ofState' | 'ofTransition'> {
  const by = (counts: Readonly<Record<string, number>> | undefined) => (name: string) => {
    const count = counts !== undefined && Object.hasOwn(counts, name) ? (counts[name] ?? 0) : 0
    return {
      isCovered: count > 0,
      words: `${count > 0 ? 'covered' : 'not covered'} by ${source.toLowerCase()}`,
    }
  }
  return { ofState: by(taken?.states), ofTransition: by(taken?.transitions) }
}
