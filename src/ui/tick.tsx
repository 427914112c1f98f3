import { Check, Minus } from 'lucide-react'
import { classNames } from './class-names.ts'

export type Ticked = 'all' | 'some' | 'none'

/** The box of a checkbox, without its behaviour. */
export function Tick({ ticked }: { ticked: Ticked }) {
  return (
    <span
      aria-hidden
      className={classNames(
        'flex size-4 shrink-0 items-center justify-center rounded-[4px]',
        ticked === 'none' ? 'outline outline-1 -outline-offset-1 outline-edge' : 'bg-accent text-on-accent',
      )}
    >
      {ticked === 'all' && <Check size={12} strokeWidth={3} />}
      {ticked === 'some' && <Minus size={12} strokeWidth={3} />}
    </span>
  )
}
