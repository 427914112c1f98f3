import { expect, test, vi } from 'vitest'
import type { App } from './app.ts'
import { createExchange } from './app-reloader.ts'

const WORLD = { scenario: 'fixtures/scenarios/demo.json', seed: undefined, devices: undefined }
type Parts = Parameters<typeof createExchange>[0]
type Asks = Parameters<Parts['build']>[1]

/** A house of which only what is exchanged is there; `build` says what becomes of the first apps. */
function houseOf(builds: ((asks: Asks) => void)[]) {
  const made: App[] = []
  const closed: App[] = []
  const parts = {
    ground: { opened: async () => WORLD, forget: async () => {} },
    hide: () => {},
    async build(pretend: App['pretend'], asks: Asks) {
      const app = { pretend, close: async () => void closed.push(app) } as Partial<App> as App
      builds.shift()?.(asks)
      made.push(app)
      return app
    },
    openWorld: async () => ({ reset: () => {} }) as Partial<App['pretend']> as App['pretend'],
  }
  return { made, closed, opening: createExchange(parts as unknown as Parts) }
}

test('an app whose record is another one, found out while it is built, is built anew', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const { made, closed, opening } = houseOf([
    ({ onStale }) => {
      onStale('the record has lost what it had')
      throw new Error('the store is closed')
    },
  ])
  const exchange = await opening
  expect(exchange.app).toBe(made[0])
  await exchange.close()
  expect([made.length, closed]).toEqual([1, made])
  expect(said).toHaveBeenCalledWith(expect.stringContaining('begins again'))
})

test('one that is built all the same is exchanged once it is', async () => {
  const said = vi.spyOn(console, 'error').mockReturnValue()
  const { made, closed, opening } = houseOf([({ onStale }) => onStale('the record was begun anew')])
  const exchange = await opening
  await vi.waitUntil(() => exchange.app === made[1])
  expect(closed).toEqual([made[0]])
  expect(said).toHaveBeenCalledWith('this node begins again: the record was begun anew')
  await exchange.close()
})

test('one that cannot be built for another reason ends the start', async () => {
  const { opening } = houseOf([
    () => {
      throw new Error('the port is taken')
    },
  ])
  await expect(opening).rejects.toThrow('the port is taken')
})
