import type { ViolationBar } from '#machines/contracts/entities/violations.ts'
import { counted } from '#machines/rules/figures.ts'
import { KINDS, type Kind } from './kinds.ts'

/** Part of a bar: how many violations of a kind, never none. */
export type Segment = { kind: Kind; count: number }
/** A device in the chart. `rank`: its place when the worst is 1, which a search leaves as it is. */
export type Bar = {
  imei: string
  plate: string
  rank: number
  total: number
  segments: readonly Segment[]
}

/** Devices by their violations, worst first; the same number by plate number. */
export function barsOf(data: readonly ViolationBar[]): Bar[] {
  return data
    .map((bar) => {
      const segments = KINDS.map((kind) => ({ kind, count: bar[kind.field] })).filter(
        ({ count }) => count > 0,
      )
      const total = segments.reduce((sum, { count }) => sum + count, 0)
      return { imei: bar.imei, plate: bar.plateNumber || bar.imei, segments, total }
    })
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || plates.compare(a.plate, b.plate))
    .map((bar, i) => ({ ...bar, rank: i + 1 }))
}

/** Those whose plate number or imei holds what was typed. */
export function foundBars(bars: readonly Bar[], query: string): readonly Bar[] {
  const wanted = query.trim().toLowerCase()
  if (wanted === '') return bars
  return bars.filter(({ plate, imei }) => plate.toLowerCase().includes(wanted) || imei.includes(wanted))
}

/** A bar in words: `LEB-7: 12 violations, 8 high temperature, 4 low humidity`. */
export function barInWords({ plate, total, segments }: Bar): string {
  const parts = segments.map(({ kind, count }) => `${count} ${kind.word.toLowerCase()}`)
  return [`${plate}: ${counted(total, 'violation')}`, ...parts].join(', ')
}

/** Where an axis of counts has its lines: whole numbers from 0 to at least `most`, five steps at most. */
export function ticksOf(most: number): number[] {
  const rough = Math.max(1, most / 5)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map((n) => n * power).find((n) => n >= rough) as number)
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, i) => i * step)
}

/** LES-9 before LES-10 */
const plates = new Intl.Collator('en', { numeric: true })
