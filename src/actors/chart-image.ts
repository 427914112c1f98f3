import { chartImage } from '../effects/chart-image.ts'
import type { Root } from './root.ts'

/** Hands the visitor a figure as PNG under a caption. `file`: without its ending. A failure is told as a toast. */
export async function saveChartImage(
  { download, toasts }: Pick<Root, 'download' | 'toasts'>,
  figure: SVGSVGElement,
  file: string,
  caption: string,
): Promise<void> {
  try {
    download(`${file}.png`, await chartImage(figure, caption))
  } catch (error) {
    toasts.error(error instanceof Error ? error.message : String(error))
  }
}
