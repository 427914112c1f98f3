import type { Scheme } from '../../../format/temperature-colour.ts'
import type { Palette } from './palette.ts'

/** What painting needs: where, in which tones. */
export type Paint = {
  ctx: CanvasRenderingContext2D
  palette: Palette
  scheme: Scheme
  /** px of the page; the context is scaled to them */
  width: number
  height: number
  /** the selected device is named by a card beside it */
  hasCard: boolean
  /** the link is lost: values are those of then */
  isStale: boolean
}

export const FONT = "'Inter Variable', system-ui, sans-serif"
