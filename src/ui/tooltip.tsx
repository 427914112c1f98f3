import type { ReactNode } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components/Tooltip'

/** Words for what has none, on hover and on focus. `children`: one Button, IconButton or Focusable. */
export function Tooltip({ text, children }: { text: ReactNode; children: ReactNode }) {
  return (
    <TooltipTrigger delay={500} closeDelay={80}>
      {children}
      <AriaTooltip offset={6} className="floating max-w-80 px-2 py-1 text-dense text-ink">
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
