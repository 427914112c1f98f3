/** The buzzer of this window. */
export type Sound = {
  /** two short tones, where the browser lets this page sound; nothing while they still sound, here or in another window */
  buzz(): void
  /** somebody pressed something that asks for sound: from now on it may */
  allow(): void
}

type Gestures = Pick<Window, 'addEventListener'>

/** Hz and seconds: heard across a room, over before it annoys. */
const PITCH = 880
const LENGTH = 0.16
const STARTS = [0, 0.24]
const LOUDNESS = 0.2
/** ms from the first buzz to the next: a storm buzzes, it does not hum */
const PAUSE = 2000

/**
 * A tone made in code. Browsers keep a page silent until somebody presses something in it; so the first press or key after
 * it was loaded wakes it.
 * @param open makes the audio context, once, with the first buzz
 * @param gestures where presses and keys are heard
 * @param locks `navigator.locks`, missing outside of secure contexts: then each window buzzes for itself
 */
export function createSound(
  open: () => AudioContext,
  gestures: Gestures,
  locks: Pick<LockManager, 'request'> | undefined,
  now: () => number,
): Sound {
  let context: AudioContext | undefined
  let buzzedAt = Number.NEGATIVE_INFINITY
  const opened = (): AudioContext => {
    context ??= open()
    return context
  }
  const wake = (): void => {
    if (context?.state === 'suspended') void context.resume()
  }
  gestures.addEventListener('pointerdown', wake, { capture: true })
  gestures.addEventListener('keydown', wake, { capture: true })

  async function play(): Promise<void> {
    const audio = opened()
    // It waits for a press where the browser wants one: a buzz of long ago must not sound then.
    if (audio.state !== 'running') {
      await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, PAUSE))])
      if ((audio.state as AudioContextState) !== 'running') return
    }
    for (const start of STARTS) tone(audio, audio.currentTime + start)
    await new Promise((resolve) => setTimeout(resolve, PAUSE))
  }

  return {
    buzz() {
      if (now() - buzzedAt < PAUSE) return
      buzzedAt = now()
      if (locks === undefined) void play()
      else void locks.request('frostline-buzzer', { ifAvailable: true }, async (lock) => lock && play())
    },
    allow: () => void opened().resume(),
  }
}

function tone(audio: AudioContext, at: number): void {
  const oscillator = audio.createOscillator()
  const gain = audio.createGain()
  oscillator.type = 'square'
  oscillator.frequency.value = PITCH
  // Switched hard it would crack.
  gain.gain.setValueAtTime(0, at)
  gain.gain.linearRampToValueAtTime(LOUDNESS, at + 0.01)
  gain.gain.setValueAtTime(LOUDNESS, at + LENGTH - 0.03)
  gain.gain.linearRampToValueAtTime(0, at + LENGTH)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(at)
  oscillator.stop(at + LENGTH)
}
