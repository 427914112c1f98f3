import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createSound } from './sound.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A browser that lets a page sound, or wants a press first. */
function started({ mayResume = true, lock = true } = {}) {
  const tones: number[] = []
  const parameter = { value: 0, setValueAtTime: () => {}, linearRampToValueAtTime: () => {} }
  const node = { connect: () => node, gain: parameter }
  const audio = {
    state: 'suspended',
    currentTime: 0,
    destination: {},
    resume: vi.fn(() => {
      if (!mayResume) return new Promise(() => {})
      audio.state = 'running'
      return Promise.resolve()
    }),
    createGain: () => node,
    createOscillator: () => ({
      frequency: parameter,
      connect: () => node,
      start: (at: number) => tones.push(at),
      stop: () => {},
    }),
  }
  const listeners = new Map<string, () => void>()
  const sound = createSound(
    () => audio as unknown as AudioContext,
    {
      addEventListener: (type: string, listener: unknown) => listeners.set(type, listener as () => void),
    } as unknown as Window,
    {
      request: (_: string, __: unknown, work: (held: unknown) => unknown) => work(lock ? {} : null),
    } as LockManager,
    () => Date.now(),
  )
  return {
    sound,
    tones,
    audio,
    press: () => listeners.get('pointerdown')?.(),
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

test('where the browser wants a press first, an old buzz does not sound with it', async () => {
  const { sound, tones, audio, press, wait } = started({ mayResume: false })
  sound.buzz()
  await wait(2000)
  press()
  await wait(0)
  expect(tones).toEqual([])
  expect(audio.resume).toHaveBeenCalledTimes(2)
})

test('one window of a browser sounds, not all of them', async () => {
  const { sound, tones, wait } = started({ lock: false })
  sound.buzz()
  await wait(100)
  expect(tones).toEqual([])
})
