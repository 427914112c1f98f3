import { classNames } from './class-names.ts'

/** How a thing is, worst for the goods first: each has a colour, a shape and a word. */
export type GlyphState = 'hot' | 'cold' | 'humid' | 'dry' | 'disconnected' | 'offline' | 'fine'

/** The word of each state, as shown beside its shape. */
export const STATE_WORDS: Record<GlyphState, string> = {
  hot: 'Too hot',
  cold: 'Too cold',
  humid: 'Too humid',
  dry: 'Too dry',
  disconnected: 'Disconnected',
  offline: 'Offline',
  fine: 'Fine',
}

/** The text colour of each state; fine is plain ink. */
export const STATE_INK: Record<GlyphState, string> = {
  hot: 'text-hot',
  cold: 'text-cold',
  humid: 'text-damp',
  dry: 'text-damp',
  disconnected: 'text-gone',
  offline: 'text-gone',
  fine: 'text-fine',
}

export type StateGlyphProps = {
  state: GlyphState
  /** px, 12 by default */
  size?: number
  /** the word is beside it already: hide the shape from screen readers */
  isDecorative?: boolean
  /** it is over: the shape without its colour */
  isQuiet?: boolean
  className?: string
}

/** The shape of a state: triangle up, triangle down, drop filled, drop hollow, ring, gapped ring, dot. */
export function StateGlyph({
  state,
  size = 12,
  isDecorative = false,
  isQuiet = false,
  className,
}: StateGlyphProps) {
  return (
    <svg
      viewBox="0 0 12 12"
      width={size}
      height={size}
      className={classNames('shrink-0', isQuiet ? 'text-ink-faint' : STATE_INK[state], className)}
      role={isDecorative ? undefined : 'img'}
      aria-hidden={isDecorative}
      aria-label={STATE_WORDS[state]}
    >
      {shapes[state]}
    </svg>
  )
}

const drop = 'M6 .9C7.6 3.1 9.6 5.2 9.6 7.5a3.6 3.6 0 0 1-7.2 0C2.4 5.2 4.4 3.1 6 .9Z'

const shapes: Record<GlyphState, React.ReactNode> = {
  hot: (
    <path
      d="M6 1.2 11.3 10.6H.7Z"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="1"
      strokeLinejoin="round"
    />
  ),
  cold: (
    <path
      d="M6 10.8.7 1.4h10.6Z"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="1"
      strokeLinejoin="round"
    />
  ),
  humid: <path d={drop} fill="currentColor" />,
  dry: <path d={drop} fill="none" stroke="currentColor" strokeWidth="1.5" />,
  disconnected: <circle cx="6" cy="6" r="4.5" fill="none" stroke="currentColor" strokeWidth="1.6" />,
  offline: (
    <circle
      cx="6"
      cy="6"
      r="4.5"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.6"
      strokeDasharray="5.27 1.8"
      strokeDashoffset="-0.9"
    />
  ),
  fine: <circle cx="6" cy="6" r="2.5" fill="currentColor" />,
}
