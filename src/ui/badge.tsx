import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'neutral' | 'accent' | 'hot' | 'cold' | 'damp' | 'gone'

const tones: Record<Tone, string> = {
  neutral: 'bg-hover text-ink-soft',
  accent: 'bg-accent-soft text-accent-strong',
  hot: 'bg-hot-soft text-hot',
  cold: 'bg-cold-soft text-cold',
  damp: 'bg-damp-soft text-damp',
  gone: 'bg-gone-soft text-gone',
}

/** A word or a number on a soft ground. A tone of a state goes with its word or StateGlyph, never alone. */
export function Badge({
  tone = 'neutral',
  className,
  children,
}: {
  tone?: Tone
  className?: string
  children: ReactNode
}) {
  return (
    <span
      className={classNames(
        'tabular inline-flex h-5 min-w-5 items-center justify-center gap-1 rounded-full px-2 font-medium text-dense',
        tones[tone],
        className,
      )}
    >
      {children}
    </span>
  )
}

/** A count as the header's bell shows it: nothing for 0, capped at 99+. */
export function cappedCount(count: number): string {
  if (count <= 0) return ''
  return count > 99 ? '99+' : String(count)
}
