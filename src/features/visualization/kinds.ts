import type { ViolationBar } from '#machines/contracts/entities/violations.ts'
import type { ViolationType } from '#machines/contracts/scalars.ts'
import { VIOLATION_WORDS } from '../../format/setting-words.ts'
import type { GlyphState } from '../../ui/state-glyph.tsx'

/** A kind of violation: what it is called, its shape, and which part of a bar it is. */
export type Kind = {
  type: ViolationType
  word: string
  glyph: GlyphState
  field: keyof Omit<ViolationBar, 'plateNumber' | 'imei'>
}

const PARTS: Record<ViolationType, Pick<Kind, 'glyph' | 'field'>> = {
  HIGH_TEMPERATURE_DETECTED: { glyph: 'hot', field: 'HighTemperature' },
  LOW_TEMPERATURE_DETECTED: { glyph: 'cold', field: 'LowTemperature' },
  HIGH_HUMIDITY_DETECTED: { glyph: 'humid', field: 'HighHumidity' },
  LOW_HUMIDITY_DETECTED: { glyph: 'dry', field: 'LowHumidity' },
}

/** The four kinds, worst for the goods first: the order of counters, legend and parts of a bar. */
export const KINDS: readonly Kind[] = VIOLATION_WORDS.map(({ id, label }) => ({
  type: id,
  word: label,
  ...PARTS[id],
}))
