/** The buzzer of this window. */
export type Sound = {
  /** two short tones, where the browser lets this page sound; nothing while they still sound, here or in another window */
  buzz(): void
}

type Gestures = Pick<Window, 'addEventListener'>

/** What browsers take for a press: of a mouse at once, of a finger when it is lifted. */
const PRESSES = ['pointerdown', 'pointerup', 'keydown'] as const

/** Hz and seconds: heard across a room, over before it annoys. */
const PITCH = 880
const LENGTH = 0.16
const STARTS = [0, 0.24]
const LOUDNESS = 0.2
/** ms from the first buzz to the next: a storm buzzes, it does not hum */
const PAUSE = 2000

/**
 * A tone made in code. Browsers keep a page silent until somebody presses something in it: the first press or key, wherever
 * it is, allows it. What came before stays silent, as a bell that is late is noise. Between two buzzes the audio rests.
 * @param open makes the audio context, once, with the first press or buzz
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
  let isAllowed = false
  let buzzedAt = Number.NEGATIVE_INFINITY

  /** undefined: the browser wants a press first, and there was none in time. */
  async function wake(): Promise<AudioContext | undefined> {
    context ??= open()
    await Promise.race([context.resume(), pause()])
    if (context.state !== 'running') return undefined
    isAllowed = true
    return context
  }
  function rest(): void {
    if (now() - buzzedAt >= PAUSE) void context?.suspend()
  }
  const allow = (): void => {
    if (!isAllowed) void wake().then(rest)
  }
  for (const press of PRESSES) gestures.addEventListener(press, allow, { capture: true })

  async function play(audio: AudioContext): Promise<void> {
    for (const start of STARTS) tone(audio, audio.currentTime + start)
    await pause()
    rest()
  }

  return {
    async buzz() {
      if (now() - buzzedAt < PAUSE) return
      buzzedAt = now()
      const audio = await wake()
      if (audio === undefined) return
      if (locks === undefined) await play(audio)
      else await locks.request('frostline-buzzer', { ifAvailable: true }, async (lock) => lock && play(audio))
    },
  }
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, PAUSE))

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
