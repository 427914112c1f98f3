import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { chromium } from 'playwright'
import { canInstall, installPackages } from './debian.ts'

/**
 * The last `--disable-features` counts, so that those which Playwright disables are said again here, and a test sees that
 * none is missing. The first two are ours: pages of the browser's own that a whole Chromium opens for the address bar of
 * each window, and that take more than a page of the portal does.
 */
const disabledFeatures: readonly string[] = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'msForceBrowserSignIn',
  'msEdgeUpdateLaunchServicesPreferredVersion',
]

/**
 * Flags every automated browser is started with: tests, screenshots and benchmarks alike.
 * The last four give WebGL on machines without a GPU, and put pages together without it, which costs a processor less;
 * the rest keep the browser from talking to anyone but us.
 */
export const chromiumFlags: string[] = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--disable-gpu-compositing',
  `--disable-features=${disabledFeatures.join(',')}`,
]

/** The first has no window and none of what stands around one: the same pages for three fifths of the work (decision 0034). */
const systemNames = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome']

/**
 * Where a usable Chromium lies: `$CHROMIUM_PATH`, else a system one, else Playwright's own.
 * @returns its path, or undefined where there is none
 * @throws when `$CHROMIUM_PATH` names a file that does not exist: a wrong wish must not be overlooked
 */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const wished = env.CHROMIUM_PATH
  if (wished) {
    if (!existsSync(wished)) throw new Error(`CHROMIUM_PATH names ${wished}, and there is no such file`)
    return wished
  }
  return onPath(env.PATH ?? '') ?? playwrightsOwn()
}

/** Where a Chromium lies that has a window: what is wished for or the system's, if it is not the first of the names. */
export function findWindowedChromium(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const [windowless = '', ...windowed] = systemNames
  const wished = env.CHROMIUM_PATH ? findChromium(env) : undefined
  if (wished !== undefined && !wished.endsWith(windowless)) return wished
  return onPath(env.PATH ?? '', windowed)
}

/**
 * Like findChromium, but installs one where there is none: Debian's package as root, else Playwright's.
 * @throws when nothing could be installed; a browser test is never skipped
 */
export function ensureChromium(): string {
  const found = findChromium()
  if (found) return found
  for (const name of canInstall() ? ['chromium-headless-shell', 'chromium'] : [])
    if (!findChromium()) installPackages(name)
  if (!findChromium()) run(process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium'])
  const installed = findChromium()
  if (!installed) {
    throw new Error(
      'There is no Chromium and none could be installed. Install one, or set CHROMIUM_PATH to its file.',
    )
  }
  return installed
}

function onPath(path: string, names = systemNames): string | undefined {
  const folders = path.split(delimiter).filter(Boolean)
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file))
}

function playwrightsOwn(): string | undefined {
  const file = chromium.executablePath()
  return file && existsSync(file) ? file : undefined
}

/** What counts is whether a browser is there afterwards, not by its exit code. */
function run(command: string, args: string[]): void {
  console.log(`> ${command} ${args.join(' ')}`)
  spawnSync(command, args, { stdio: 'inherit' })
}
