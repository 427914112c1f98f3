import { expect, test, vi } from 'vitest'
import type { App } from './app.ts'
import { createAppReloader } from './app-reloader.ts'
import type { ReplaceApp, Simulator } from './ports.ts'

type Parts = Parameters<typeof createAppReloader>[0]
type OnStale = Parameters<Parts['build']>[1]

/** A server of which only what is replaced is there; `build` says what becomes of the first apps. */
function serverOf(builds: ((onStale: OnStale) => void)[], stepDown = (_: string) => {}) {
  const made: App[] = []
  const closed: App[] = []
  const steps: string[] = []
  let replaceApp: ReplaceApp | undefined
  const simulator = {
    prepare: async () => void steps.push('prepare'),
    session(replace: ReplaceApp) {
      replaceApp = replace
      return {}
    },
  } as unknown as Simulator
  const opening = createAppReloader({
    infrastructure: { cluster: { stepDown } } as Parts['infrastructure'],
    simulator,
    hide: () => {},
    async build(_, onStale) {
      const app = { close: async () => void closed.push(app) } as Partial<App> as App
      builds.shift()?.(onStale)
      made.push(app)
      return app
    },
  })
  return { made, closed, steps, opening, replace: (with_: Parameters<ReplaceApp>[0]) => replaceApp?.(with_) }
}

test('an app whose record is another one, found out while it is built, is built anew', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const { made, closed, opening } = serverOf([
    (onStale) => {
      onStale('the record has lost what it had')
      throw new Error('the store is closed')
    },
  ])
  const reloader = await opening
  expect(reloader.app).toBe(made[0])
  await reloader.close()
  expect([made.length, closed]).toEqual([1, made])
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('begins again'))
})

test('one that is built all the same is replaced once it is', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const { made, closed, opening } = serverOf([(onStale) => onStale('the record was begun anew')])
  const reloader = await opening
  await vi.waitUntil(() => reloader.app === made[1])
  expect(closed).toEqual([made[0]])
  expect(logged).toHaveBeenCalledWith('this node begins again: the record was begun anew')
  await reloader.close()
})

test('a node that cannot begin again lets another lead meanwhile', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const steppedDown = Promise.withResolvers<string>()
  const full = (): void => {
    throw new Error('the disk is full')
  }
  const { opening } = serverOf([(onStale) => onStale('the record was begun anew'), full], steppedDown.resolve)
  const reloader = await opening
  expect(await steppedDown.promise).toBe('the disk is full')
  await reloader.close()
})

test('one that cannot be built for another reason ends the start', async () => {
  const { opening } = serverOf([
    () => {
      throw new Error('the port is taken')
    },
  ])
  await expect(opening).rejects.toThrow('the port is taken')
})

test('a replacement that cannot be prepared leaves the app as it is', async () => {
  const { made, closed, opening, replace } = serverOf([])
  const reloader = await opening
  const failing = { prepare: () => Promise.reject(new Error('no such world')) }
  await expect(replace({ ...failing, begin: async () => {}, takeBack: async () => {} })).rejects.toThrow(
    'no such world',
  )
  expect([reloader.app === made[0], closed]).toEqual([true, []])
  await reloader.close()
})

test('one that cannot be built is taken back, and what was there begins anew', async () => {
  vi.spyOn(console, 'error').mockReturnValue()
  const { made, steps, opening, replace } = serverOf([
    () => {},
    () => {
      throw new Error('the disk is full')
    },
  ])
  const reloader = await opening
  const begun = replace({
    begin: async () => void steps.push('begin'),
    takeBack: async () => void steps.push('take back'),
    done: () => void steps.push('done'),
  })
  await expect(begun).rejects.toThrow('the disk is full')
  expect(steps).toEqual(['prepare', 'begin', 'take back', 'prepare'])
  expect(reloader.app).toBe(made[1])
  await reloader.close()
})
