import { expect, type Page, type WebSocketRoute } from '@playwright/test'
import { decodeLiveFrame } from '#machines/contracts/live-frame.ts'
import { CLOSELY } from './held.ts'

/** What the server says over `/live`: a text in JSON, or a frame of readings. */
type Message = string | Buffer
type Line = { near: WebSocketRoute; open(): void }

/**
 * The live link of a page in the hands of a test: each try to make one waits until it is let in, and what the server says
 * waits until it is let through. What is let through is the server's own.
 */
export type Wire = {
  /** the page that tried, or had a link, is gone */
  forget(): void
  /** the page tries to make a link */
  isTried(): Promise<void>
  /** the try reaches the server, whose welcome comes through; no more than that */
  letIn(): Promise<void>
  /** the network cuts the link, or the try to make one */
  cut(): Promise<void>
  /** the server hangs up with this word */
  hangUp(code: number, reason: string): Promise<void>
  /** everything comes through, from what waits on */
  flow(): void
  /** what the server says from now on waits */
  hold(): void
  /** what waits, and what comes until there is a frame of readings among it, is lost on the way */
  lose(): Promise<void>
  /** the next message of this type comes through, before all that waits */
  pass(type: 'age' | 'scope'): Promise<void>
}

/** To be called before the page is opened. */
export async function holdWire(page: Page): Promise<Wire> {
  let tried: Line | undefined
  let line: Line | undefined
  let doesFlow = false
  let waiting: Message[] = []

  await page.routeWebSocket(/\/live$/, (near) => {
    const { promise, resolve: open } = Promise.withResolvers<void>()
    tried = { near, open }
    return promise
  })

  const take = async (): Promise<Line> => {
    await isTried()
    const mine = tried as Line
    tried = undefined
    return mine
  }
  const isTried = () =>
    expect.poll(() => tried !== undefined, { message: 'a link is tried', ...CLOSELY }).toBe(true)
  const end = async (code: number, reason: string): Promise<void> => {
    const mine = line ?? (await take())
    line = undefined
    waiting = []
    await mine.near.close({ code, reason })
    mine.open()
  }
  /** takes the first message of a kind out of what waits, as soon as there is one */
  const first = async (isMeant: (message: Message) => boolean, what: string): Promise<Message> => {
    await expect.poll(() => waiting.some(isMeant), { message: what, ...CLOSELY }).toBe(true)
    const [found] = waiting.splice(waiting.findIndex(isMeant), 1)
    return found as Message
  }
  const pass = async (type: string): Promise<void> => {
    const message = await first((one) => typeOf(one) === type, `the server says ${type}`)
    line?.near.send(message)
  }

  return {
    forget() {
      tried = undefined
      line = undefined
      waiting = []
    },
    isTried,
    async letIn() {
      const mine = await take()
      line = mine
      doesFlow = false
      waiting = []
      const far = mine.near.connectToServer()
      mine.near.onMessage((message) => far.send(message))
      far.onMessage((message) => {
        if (line !== mine) return
        if (doesFlow) mine.near.send(message)
        else waiting.push(message)
      })
      mine.open()
      await pass('welcome')
    },
    cut: () => end(1006, ''),
    hangUp: end,
    flow() {
      doesFlow = true
      for (const message of waiting) line?.near.send(message)
      waiting = []
    },
    hold() {
      doesFlow = false
    },
    async lose() {
      await first(isNews, 'there are new readings')
      waiting = []
    },
    pass,
  }
}

/** An answer to the page's own question is no news, and may be there from before there was any. */
function isNews(message: Message): boolean {
  if (typeof message === 'string') return false
  const { resumed, device } = decodeLiveFrame(Uint8Array.from(message).buffer)
  return !resumed && device.length > 0
}

function typeOf(message: Message): string {
  return typeof message === 'string' ? (JSON.parse(message) as { type: string }).type : 'frame'
}

/** The socket of notifications as a cable that can be cut: tries to make another wait until it is mended. */
export type Cable = { cut(): Promise<void>; mend(): void }

/** To be called before the page is opened. */
export async function layNotificationCable(page: Page): Promise<Cable> {
  let mended: PromiseWithResolvers<void> | undefined
  let ends: WebSocketRoute[] = []
  await page.routeWebSocket(/\/socket\.io\//, async (near) => {
    await mended?.promise
    ends.push(near, near.connectToServer())
  })
  return {
    async cut() {
      mended = Promise.withResolvers()
      const cut = ends
      ends = []
      for (const end of cut) await end.close()
    },
    mend() {
      mended?.resolve()
      mended = undefined
    },
  }
}
