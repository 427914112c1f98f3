import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSound } from './sound.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A browser that lets a page sound, or wants a press first. */
function started({ wantsPress = false, lock = true } = {}) {
  const tones: number[] = []
  const parameter = { value: 0, setValueAtTime: () => {}, linearRampToValueAtTime: () => {} }
  const node = { connect: () => node, gain: parameter }
  const audio = {
    state: 'suspended',
    currentTime: 0,
    destination: {},
    async resume() {
      if (wantsPress) await new Promise(() => {})
      audio.state = 'running'
    },
    async suspend() {
      audio.state = 'suspended'
    },
    createGain: () => node,
    createOscillator: () => ({
      frequency: parameter,
      connect: () => node,
      start: (at: number) => tones.push(at),
      stop: () => {},
    }),
  }
  const listeners = new Map<string, () => void>()
  const locks = vi.fn((_: string, __: unknown, work: (held: unknown) => unknown) => work(lock ? {} : null))
  const sound = createSound(
    () => audio as unknown as AudioContext,
    {
      addEventListener: (type: string, listener: unknown) => listeners.set(type, listener as () => void),
    } as unknown as Window,
    { request: locks } as unknown as LockManager,
    () => Date.now(),
  )
  return {
    sound,
    tones,
    audio,
    locks,
    press(type = 'pointerdown') {
      wantsPress = false
      listeners.get(type)?.()
    },
    wait: (ms: number) => vi.advanceTimersByTimeAsync(ms),
  }
}

test('two tones, once for all that comes within two seconds', async () => {
  const { sound, tones, wait } = started()
  for (let i = 0; i < 20; i++) sound.buzz()
  await wait(1999)
  sound.buzz()
  expect(tones).toHaveLength(2)
  await wait(1)
  sound.buzz()
  await wait(0)
  expect(tones).toHaveLength(4)
})

test.each(['pointerdown', 'pointerup', 'keydown'])(
  'where the browser wants a press first, the first one allows it (%s); what came long before stays silent',
  async (press) => {
    const s = started({ wantsPress: true })
    s.sound.buzz()
    await s.wait(2000)
    s.press(press)
    await s.wait(2000)
    expect(s.tones).toEqual([])
    s.sound.buzz()
    await s.wait(0)
    expect(s.tones).toHaveLength(2)
  },
)

test('a press before anything buzzed allows it as well', async () => {
  const { sound, audio, tones, press, wait } = started({ wantsPress: true })
  press()
  await wait(0)
  expect(audio.state, 'there is nothing to sound yet').toBe('suspended')
  sound.buzz()
  await wait(0)
  expect(tones).toHaveLength(2)
})

test('a press while it sounds cuts nothing off, and afterwards it rests', async () => {
  const { sound, audio, press, wait } = started({ wantsPress: true })
  sound.buzz()
  await wait(1000)
  press()
  await wait(1500)
  expect(audio.state).toBe('running')
  await wait(2500)
  expect(audio.state).toBe('suspended')
})

test('one window of a browser sounds, not all of them', async () => {
  const { sound, tones, wait } = started({ lock: false })
  sound.buzz()
  await wait(100)
  expect(tones).toEqual([])
})

test('a window nobody pressed anything in leaves it to those that may sound', async () => {
  const { sound, locks, wait } = started({ wantsPress: true })
  sound.buzz()
  await wait(5000)
  expect(locks).not.toHaveBeenCalled()
})
