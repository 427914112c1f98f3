import { Button as AriaButton } from 'react-aria-components/Button'
import { Tooltip } from './tooltip.tsx'

/** A text cut with an ellipsis where it is longer; the whole of it is in a tooltip, on hover and on focus. */
export function ShortText({ text, longest }: { text: string; longest: number }) {
  if (text.length <= longest) return <>{text}</>
  return (
    <Tooltip text={<span className="line-clamp-12 break-words">{text}</span>}>
      <AriaButton
        aria-label={text}
        className="cursor-default rounded-small text-left data-focus-visible:outline-2 data-focus-visible:outline-accent"
      >
        {`${text.slice(0, longest).trimEnd()}…`}
      </AriaButton>
    </Tooltip>
  )
}
