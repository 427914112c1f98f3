import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright'
import { type RunningApp, setClock } from '../build/running-app.ts'
import { firstMarkersOnLand, newWindow, type SignedIn } from './browser.ts'
import type { Figure } from './figures.ts'

const THEMES = ['light', 'dark'] as const
/** Presses of «Zoom in» before each picture. */
const NEARER = [0, 1, 2, 2]
/** Tiles and labels have come, and what moves has come to rest; ms. */
const SETTLE = 8_000
const TARGET = 0.001

type BrowserRun = { browser: Browser; app: RunningApp; signedIn: SignedIn }

/** The map at rest drawn with all points in each frame and with as many as there is time for: the share of pixels that differ. */
export async function measurePictures({ browser, app, signedIn }: BrowserRun): Promise<Figure> {
  await setClock(app.url, { paused: true })
  const shares: number[] = []
  for (const theme of THEMES) {
    const [gpu, software] = [await taken('gpu', theme), await taken('software', theme)]
    for (const [i, picture] of gpu.entries())
      shares.push(await shareThatDiffers(browser, picture, software[i] as Buffer))
  }
  const worst = Math.max(...shares)
  return {
    what: `pictures of the map at rest with ?draw=gpu and ?draw=software, ${NEARER.length} zooms, both themes: pixels that differ, at most`,
    measured: `${(worst * 100).toFixed(3)} %`,
    target: '< 0.1 %',
    isReached: worst < TARGET,
  }

  async function taken(draw: 'gpu' | 'software', theme: (typeof THEMES)[number]): Promise<Buffer[]> {
    const context = await newWindow(browser, signedIn)
    const page = await context.newPage()
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.goto(`${app.url}/?draw=${draw}`)
    await firstMarkersOnLand(page)
    const pictures: Buffer[] = []
    for (const presses of NEARER) {
      for (let i = 0; i < presses; i++) {
        await page.getByRole('button', { name: 'Zoom in' }).click()
        await pause(1_000)
      }
      await pause(SETTLE)
      pictures.push(await mapOf(page))
    }
    await context.close()
    return pictures
  }
}

/** The map's region as PNG, with the controls on it: they are the same in both. */
function mapOf(page: Page): Promise<Buffer> {
  return page.getByRole('region', { name: 'Map of devices' }).screenshot({ animations: 'disabled' })
}

/** 0 to 1; two pictures of other sizes differ wholly. */
async function shareThatDiffers(browser: Browser, one: Buffer, other: Buffer): Promise<number> {
  const page = await browser.newPage()
  const share = await page.evaluate(
    async (sources) => {
      const [a, b] = await Promise.all(
        sources.map(async (source) => {
          const bitmap = await createImageBitmap(await (await fetch(source)).blob())
          const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
          const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D
          context.drawImage(bitmap, 0, 0)
          return context.getImageData(0, 0, bitmap.width, bitmap.height)
        }),
      )
      if (a === undefined || b === undefined || a.width !== b.width || a.height !== b.height) return 1
      const [left, right] = [new Uint32Array(a.data.buffer), new Uint32Array(b.data.buffer)]
      return left.reduce((others, pixel, i) => others + (pixel === right[i] ? 0 : 1), 0) / left.length
    },
    [one, other].map((picture) => `data:image/png;base64,${picture.toString('base64')}`),
  )
  await page.close()
  return share
}
