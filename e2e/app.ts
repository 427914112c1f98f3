import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type BrowserContext,
  type BrowserContextOptions,
  test as base,
  expect,
  type Page,
} from '@playwright/test'
import scenario from '#fixtures/scenarios/demo.json' with { type: 'json' }
import { type RunningApp, startApp } from '../tools/build/running-app.ts'
import { type Caller, type Control, controlOf, signedInCaller } from './control.ts'
import { keepCovered } from './covered.ts'
import { AccessScreen } from './screens/access.screen.ts'
import { DashboardScreen } from './screens/dashboard.screen.ts'
import { HistoryScreen } from './screens/history.screen.ts'
import { LoginScreen } from './screens/login.screen.ts'
import { Shell } from './screens/shell.screen.ts'
import { bringSession } from './session.ts'
import { type Trouble, watchTrouble } from './trouble.ts'

/** Every demo account's. */
export const PASSWORD = scenario.password
export const OPERATOR = 'operator@indus.example'
export const SUPER_ADMIN = 'admin@frostline.example'

export type App = Pick<RunningApp, 'url' | 'port' | 'teltonikaPort' | 'gt06Port'> & {
  sim: Control
  /** the same API the portal uses, signed in as the operator */
  api: Caller
}

/** One browser window and the screens in it. */
export type Visitor = {
  page: Page
  context: BrowserContext
  trouble: Trouble
  login: LoginScreen
  access: AccessScreen
  shell: Shell
  dashboard: DashboardScreen
  history: HistoryScreen
}

type PerTest = {
  /**
   * whether the browser can draw the fleet's map; where it cannot, the dashboard says so and has all else. For files that
   * do not look at the map: without a GPU it takes more of a processor than the rest of the page
   */
  isMapDrawn: boolean
  /** what the machines of the test's windows did is kept for `/lab` */
  covered: undefined
  trouble: Trouble
  visitor: Visitor
  /** the visitor, signed in and looking at a live dashboard */
  operator: Visitor
  /** the visitor, signed in as the operator, before any page is open */
  signedIn: Visitor
  /** the visitor on a page of the portal, signed in without the way there and the dashboard's map; the operator if not said */
  signedInAt: (path: string, account?: string) => Promise<Visitor>
  /** somebody else, on a machine of their own */
  newVisitor: (address?: string) => Promise<Visitor>
}
type PerFile = {
  /**
   * how large the world of a spec file is; `of` names the file, so that each has an app of its own, but for those of CALM.
   * `url`: of an app that runs already, as large as it is
   */
  world: { of: string; devices: number; url?: string }
  app: App
}

export const test = base.extend<PerTest, PerFile>({
  world: [
    { of: 'any', devices: 200 },
    { option: true, scope: 'worker' },
  ],

  app: [
    async ({ world }, use) => {
      if (world.url !== undefined) return use(await seen(world.url))
      const dataDir = mkdtempSync(join(tmpdir(), 'frostline-'))
      const app = await startApp({ devices: world.devices, dataDir })
      await use({ ...(await seen(app.url)), teltonikaPort: app.teltonikaPort, gt06Port: app.gt06Port })
      await app.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker', timeout: 300_000 },
  ],

  isMapDrawn: [true, { option: true }],

  context: async ({ context, isMapDrawn }, use) => {
    if (!isMapDrawn) await context.addInitScript(refuseFleetMap)
    await use(context)
  },

  baseURL: async ({ app }, use) => use(app.url),

  trouble: [
    async ({ context }, use) => {
      const trouble = watchTrouble(context)
      await use(trouble)
      expect(trouble.unexpected(), 'nothing went wrong behind the visitor’s back').toEqual([])
    },
    { auto: true },
  ],

  covered: [
    async ({ context }, use, { file }) => {
      await use(undefined)
      await keepCovered(context, file)
    },
    { auto: true },
  ],

  visitor: async ({ page, context, trouble }, use) => {
    await use(visitorAt(page, context, trouble))
  },

  operator: async ({ signedIn: visitor }, use) => {
    await visitor.page.goto('/')
    await visitor.dashboard.isShown()
    await visitor.shell.isLive()
    await use(visitor)
  },

  signedIn: async ({ visitor, app }, use) => {
    await bringSession(visitor.page, app.url, OPERATOR, PASSWORD)
    await use(visitor)
  },

  signedInAt: async ({ visitor, app }, use) => {
    await use(async (path, account = OPERATOR) => {
      await bringSession(visitor.page, app.url, account, PASSWORD)
      await visitor.page.goto(path)
      return visitor
    })
  },

  newVisitor: async ({ browser, baseURL, viewport, isMapDrawn }, use, { file }) => {
    const others: Visitor[] = []
    await use(async (address = baseURL) => {
      const context = await browser.newContext({ viewport, ...(address ? { baseURL: address } : {}) })
      if (!isMapDrawn) await context.addInitScript(refuseFleetMap)
      const trouble = watchTrouble(context)
      const page = await context.newPage()
      const other = visitorAt(page, context, trouble)
      others.push(other)
      return other
    })
    // What a window says while it is closed, its map in the middle of fetching tiles, is nobody's trouble.
    const heard = others.flatMap(({ trouble }) => trouble.unexpected())
    for (const { context } of others) {
      await keepCovered(context, file)
      await context.close()
    }
    expect(heard, 'of another visitor').toEqual([])
  },
})

export { expect }

/** An app that runs, from outside. */
async function seen(url: string): Promise<App> {
  return {
    url,
    port: Number(new URL(url).port || 80),
    teltonikaPort: 5027,
    gt06Port: 5023,
    sim: controlOf(url),
    api: await signedInCaller(url, OPERATOR, PASSWORD),
  }
}

/** The world of files that leave it as it was: they share an app. It stands. */
export const CALM = { of: 'files that change nothing', devices: 60 }

/** Wide enough for list and map side by side, small enough for WebGL without a GPU. */
export const DESK = { width: 1040, height: 620 }

/** The portal moves as it does for most people: for files that look at how it does. */
export const IN_MOTION: BrowserContextOptions = { reducedMotion: 'no-preference' }

/** Runs in each page before all else. The dashboard asks a canvas that lies on no page whether there is WebGL 2. */
function refuseFleetMap(): void {
  const { prototype } = HTMLCanvasElement
  const { getContext } = prototype
  prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
    if (args[0] === 'webgl2' && !this.isConnected) return null
    return Reflect.apply(getContext, this, args)
  } as typeof getContext
}

function visitorAt(page: Page, context: BrowserContext, trouble: Trouble): Visitor {
  return {
    page,
    context,
    trouble,
    login: new LoginScreen(page),
    access: new AccessScreen(page),
    shell: new Shell(page),
    dashboard: new DashboardScreen(page),
    history: new HistoryScreen(page),
  }
}
