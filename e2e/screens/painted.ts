import type { Page } from '@playwright/test'

/** A text on the map, where it stands, px of the map. */
export type Painted = { text: string; x: number; y: number }

/**
 * The fleet is painted on a canvas, which no reader can ask. This listens to the pen: what was written since the map was
 * last wiped clean is what one sees. To be called before the page is opened.
 */
export async function watchPen(page: Page): Promise<void> {
  await page.addInitScript(() => {
    let painted: { text: string; x: number; y: number }[] = []
    const pen = CanvasRenderingContext2D.prototype
    const isMap = (ctx: CanvasRenderingContext2D): boolean =>
      ctx.canvas instanceof HTMLCanvasElement && ctx.canvas.closest('[aria-label="Map of devices"]') !== null
    const { clearRect, fillText } = pen
    pen.clearRect = function (...box) {
      if (isMap(this)) painted = []
      clearRect.apply(this, box)
    }
    pen.fillText = function (text, x, y, ...rest) {
      if (isMap(this)) painted.push({ text, x, y })
      fillText.apply(this, [text, x, y, ...rest])
    }
    Object.assign(window, { paintedOnMap: () => painted })
  })
}

/** What stands on the map now. */
export function paintedOn(page: Page): Promise<Painted[]> {
  return page.evaluate(() => (window as unknown as { paintedOnMap: () => Painted[] }).paintedOnMap())
}
