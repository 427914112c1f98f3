const NAMES = {
  surface: '--color-surface',
  raised: '--color-raised',
  line: '--color-line',
  edge: '--color-edge',
  ink: '--color-ink',
  inkSoft: '--color-ink-soft',
  inkFaint: '--color-ink-faint',
  accent: '--color-accent',
  fine: '--color-fine',
  hot: '--color-hot',
  hotSoft: '--color-hot-soft',
  cold: '--color-cold',
  coldSoft: '--color-cold-soft',
  damp: '--color-damp',
  dampSoft: '--color-damp-soft',
  gone: '--color-gone',
  goneSoft: '--color-gone-soft',
  caution: '--color-caution',
  error: '--color-error',
} as const

export const FONT = "'Inter Variable', system-ui, sans-serif"

/** The tones of the page as a canvas takes them, in the theme it stands in. */
export type Palette = { [N in keyof typeof NAMES]: string }

/** Reads the tokens where `place` stands; read anew when the theme changes. */
export function readPalette(place: HTMLElement): Palette {
  const probe = place.appendChild(document.createElement('span'))
  try {
    const tones: Record<string, string> = {}
    for (const [name, token] of Object.entries(NAMES)) {
      probe.style.color = `var(${token})`
      tones[name] = getComputedStyle(probe).color
    }
    return tones as Palette
  } finally {
    probe.remove()
  }
}

/** A tone as bytes: tokens come in any notation, and a canvas knows them all. */
export function bytesOf(tone: string): [red: number, green: number, blue: number] {
  probe ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true }) ?? undefined
  if (probe === undefined) return [0, 0, 0]
  probe.fillStyle = tone
  probe.fillRect(0, 0, 1, 1)
  const [red = 0, green = 0, blue = 0] = probe.getImageData(0, 0, 1, 1).data
  return [red, green, blue]
}
let probe: OffscreenCanvasRenderingContext2D | undefined

/** Tones of each severity (SEVERITIES, least first). */
export const SEVERITY_TONES: readonly { ink: keyof Palette; soft: keyof Palette }[] = [
  { ink: 'fine', soft: 'surface' },
  { ink: 'gone', soft: 'goneSoft' },
  { ink: 'gone', soft: 'goneSoft' },
  { ink: 'gone', soft: 'goneSoft' },
  { ink: 'damp', soft: 'dampSoft' },
  { ink: 'damp', soft: 'dampSoft' },
  { ink: 'cold', soft: 'coldSoft' },
  { ink: 'hot', soft: 'hotSoft' },
]
