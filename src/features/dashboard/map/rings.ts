import { budgetsFor } from '../../../actors/budgets.ts'
import type { Live, Root } from '../../../actors/root.ts'
import type { Budgets } from '../../../read-model/budgets.ts'
import { MARK } from './draw-marks.ts'
import type { Palette } from './palette.ts'
import type { Ring, Rings } from './scene.ts'

/** Follows the budgets of a visitor's devices; answers how to stop. */
export function followRings(
  live: Live,
  http: Root['http'],
  groupId: string,
  onRings: (rings: Rings) => void,
): () => void {
  const { news, join } = budgetsFor(live, http, groupId)
  const update = (): void => onRings(ringsOf(news.get().of))
  const leave = join()
  const unsubscribe = news.subscribe(update)
  update()
  return () => {
    unsubscribe()
    leave()
  }
}

/** Of loads that somebody must look at: whose budget is exhausted first. */
export function ringsOf(budgets: Budgets): Rings {
  const exhausted: [number, Ring][] = []
  const atRisk: [number, Ring][] = []
  for (const [deviceNo, { state }] of budgets) {
    if (state === 'exhausted') exhausted.push([deviceNo, state])
    else if (state === 'at-risk') atRisk.push([deviceNo, state])
  }
  return { of: new Map([...exhausted, ...atRisk]), draw: drawRing }
}

const RADIUS = 15.5

/** Around a mark: whole where the budget is exhausted, dashed where it is at risk, so that grey print tells them apart too. */
function drawRing(ctx: CanvasRenderingContext2D, palette: Palette, ring: Ring): void {
  ctx.save()
  ctx.beginPath()
  ctx.arc(MARK / 2, MARK / 2, RADIUS, 0, 2 * Math.PI)
  ctx.strokeStyle = palette.surface
  ctx.lineWidth = 4.5
  ctx.stroke()
  ctx.strokeStyle = ring === 'exhausted' ? palette.error : palette.caution
  ctx.lineWidth = 2.5
  if (ring === 'at-risk') ctx.setLineDash([5, 3.1])
  ctx.stroke()
  ctx.restore()
}
