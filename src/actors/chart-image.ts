import { chartImage } from '../effects/chart-image.ts'
import { wordsOf } from './failure-words.ts'
import type { Root } from './root.ts'

/** Hands the visitor a figure as PNG under a caption. `file`: without its ending. A failure is shown as a toast. */
export async function saveChartImage(
  { download, toasts }: Pick<Root, 'download' | 'toasts'>,
  figure: SVGSVGElement,
  file: string,
  caption: string,
): Promise<void> {
  try {
    download(`${file}.png`, await chartImage(figure, caption))
  } catch (error) {
    toasts.error(wordsOf(error))
  }
}

/** The same for a drawing that is on no page: it hangs in this one, out of view, while it is pictured. */
export async function saveDrawing(
  root: Pick<Root, 'download' | 'toasts'>,
  drawing: SVGSVGElement,
  file: string,
  caption: string,
): Promise<void> {
  const place = document.createElement('div')
  place.setAttribute('aria-hidden', 'true')
  place.style.cssText = 'position: fixed; left: -100000px; top: 0; background: var(--color-surface)'
  place.append(drawing)
  document.body.append(place)
  await saveChartImage(root, drawing, file, caption)
  place.remove()
}
