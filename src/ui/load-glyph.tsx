import { classNames } from './class-names.ts'

/** How a load is: within its budget, near its end, beyond it, and what people made of it. */
export type LoadLook = 'within' | 'at-risk' | 'exhausted' | 'in-review' | 'released' | 'rejected'

/** Text colour of each. It is a judgement, not something measured: neither ember nor amber, which say heat and humidity. */
export const LOAD_INK: Record<LoadLook, string> = {
  within: 'text-ink-soft',
  'at-risk': 'text-caution',
  exhausted: 'text-error',
  'in-review': 'text-caution',
  released: 'text-ink-soft',
  rejected: 'text-error',
}

/** The same on a soft ground. */
export const LOAD_GROUND: Record<LoadLook, string> = {
  within: 'bg-hover text-ink-soft',
  'at-risk': 'bg-caution-soft text-caution',
  exhausted: 'bg-error-soft text-error',
  'in-review': 'bg-caution-soft text-caution',
  released: 'bg-hover text-ink-soft',
  rejected: 'bg-error-soft text-error',
}

const BOX = 'M1.5 2.5a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v7a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1Z'

/** A box: filled from below as the budget is used, crossed out, ticked or looked at. Its word stands beside it. */
const SHAPES: Record<LoadLook, React.ReactNode> = {
  within: <path d="M2 8.5h8V10H2Z" fill="currentColor" stroke="none" />,
  'at-risk': <path d="M2 4.5h8V10H2Z" fill="currentColor" stroke="none" />,
  exhausted: <path d={BOX} fill="currentColor" />,
  'in-review': <circle cx="6" cy="6" r="1.8" fill="currentColor" stroke="none" />,
  released: <path d="m3.4 6.2 1.8 1.9 3.4-4" fill="none" />,
  rejected: <path d="m3.8 3.8 4.4 4.4m0-4.4L3.8 8.2" fill="none" />,
}

/** The shape of a load's state, for the eye: whoever shows it says the word. */
export function LoadGlyph({
  look,
  size = 12,
  className,
}: {
  look: LoadLook
  /** px */
  size?: number
  className?: string
}) {
  return (
    <svg
      viewBox="0 0 12 12"
      width={size}
      height={size}
      aria-hidden
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={classNames('shrink-0', LOAD_INK[look], className)}
    >
      <path d={BOX} />
      {SHAPES[look]}
    </svg>
  )
}
