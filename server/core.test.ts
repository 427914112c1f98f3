import { afterEach, expect, test, vi } from 'vitest'
import { alone } from './cluster/alone.ts'
import { readEnv } from './config/config.ts'
import { openCore } from './core.ts'

const clock = { now: () => Date.UTC(2026, 6, 1) }

afterEach(() => vi.useRealTimers())

test('a checkpoint that the store refuses ends neither the server nor its stop, and operators are told which', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const env = readEnv({ DATA_DIR: ':memory:' })
  const warn = vi.fn()
  const close = vi.fn()
  let isTooBig = false
  const core = await openCore({
    env,
    clock,
    use: 'production',
    infrastructure: {
      cluster: alone({ node: 'test', address: 'http://127.0.0.1:4000', dataDir: env.dataDir }),
      database: undefined,
      bus: undefined,
    },
    onStale() {},
    warn,
    wrapStore: (store) => ({
      ...store,
      checkpoints: {
        ...store.checkpoints,
        save(...it) {
          if (isTooBig) throw new Error('string or blob too big')
          return store.checkpoints.save(...it)
        },
      },
      async close() {
        close()
        await store.close()
      },
    }),
  })
  isTooBig = true
  vi.advanceTimersByTime(120_000)
  expect(warn.mock.calls).toEqual([[expect.stringMatching(/^checkpoint read-models .*too big/)]])
  await core.close()
  expect(close).toHaveBeenCalledOnce()
})
