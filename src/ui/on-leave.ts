import type { KeyboardEvent } from 'react'

/** Props of a line of text whose content is put right once it is left: by Tab, by a press elsewhere, or by Enter, which sends the form. */
export const onLeave = (putRight: () => void) => ({
  onBlur: putRight,
  onKeyDown: ({ key }: KeyboardEvent) => {
    if (key === 'Enter') putRight()
  },
})
