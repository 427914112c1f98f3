import { Button as AriaButton } from 'react-aria-components/Button'
import { Tooltip } from './tooltip.tsx'

/** A text cut with an ellipsis where it is longer; the whole of it is in a tooltip, on hover and on focus. */
export function ShortText({ text, longest }: { text: string; longest: number }) {
  if (text.length <= longest) return <>{text}</>
  return (
    <Tooltip text={<span className="line-clamp-12 break-words">{text}</span>}>
      <AriaButton className="cursor-default rounded-small text-left data-focus-visible:outline-2 data-focus-visible:outline-focus">
        <span aria-hidden>{`${text.slice(0, longest).trimEnd()}…`}</span>
        <span className="sr-only">{text}</span>
      </AriaButton>
    </Tooltip>
  )
}
