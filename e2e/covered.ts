import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import type { AnyStateNode } from 'xstate'
import { Coverage, SpecCoverage } from '#machines/contracts/calls/lab-calls.ts'
import { decode, decodeJson } from '#machines/contracts/decode.ts'
import { counted, merged } from '#machines/testing/coverage.ts'
import type { Path } from '#machines/testing/path-model.ts'

/** Where `/lab` and `npm run charts` look for it. */
const DIR = resolve(import.meta.dirname, '../.cache/coverage/e2e')
/** All workers of one run of the tests have the same parent. */
const RUN = String(process.ppid)
/** A page that is on its way elsewhere may not answer, ms: what it did is not worth waiting for. */
const PATIENCE = 5_000

/** Adds what the machines of a browser window did to what this spec file covers. */
export async function keepCovered(context: BrowserContext, specFile: string): Promise<void> {
  keep(specFile, await coveredIn(context))
}

/** Adds a path of a machine that no window runs: each of its steps was brought about, and seen. */
export function keepWalked(machine: string, { steps, takes }: Path, specFile: string): void {
  const states = steps.flatMap(({ state }) =>
    (state._nodes as AnyStateNode[]).map(({ path }) => path.join('.')),
  )
  keep(specFile, counted(machine, states.filter(Boolean), takes))
}

/** What a spec file covers begins anew with its first test. */
function keep(specFile: string, taken: Coverage): void {
  if (Object.keys(taken).length === 0) return
  const spec = relative(import.meta.dirname, specFile)
  const file = join(DIR, `${spec.replaceAll(/[^\w.-]/g, '-')}.json`)
  const before = earlierOf(file)
  const all: SpecCoverage = { spec, run: RUN, at: Date.now(), taken: merged(before, taken) }
  mkdirSync(DIR, { recursive: true })
  writeFileSync(file, JSON.stringify(all))
}

/** What tests of this very run have left there. */
function earlierOf(file: string): Coverage {
  try {
    const { run, taken } = decodeJson(readFileSync(file, 'utf8'), SpecCoverage, file)
    return run === RUN ? taken : {}
  } catch {
    return {}
  }
}

/** The windows of a context share what is kept: any page of the portal knows it. */
async function coveredIn(context: BrowserContext): Promise<Coverage> {
  for (const page of context.pages().filter((one) => one.url().startsWith('http'))) {
    const found = await Promise.race([keptBy(page), new Promise((resolve) => setTimeout(resolve, PATIENCE))])
    if (found !== undefined) return decode(found, Coverage, 'coverage of a page')
  }
  return {}
}

/** undefined where the page has kept nothing, or is no page any more. */
function keptBy(page: Page): Promise<unknown> {
  const read = () =>
    new Promise<unknown>((done) => {
      const opened = indexedDB.open('frostline-lab')
      // there is none, and there is to be none
      opened.onupgradeneeded = () => opened.transaction?.abort()
      opened.onerror = () => done(undefined)
      opened.onsuccess = () => {
        const reading = opened.result.transaction('taken').objectStore('taken').get('here')
        reading.onsuccess = () => done(reading.result)
        reading.onerror = () => done(undefined)
      }
    })
  return page.evaluate(read).catch(() => undefined)
}
