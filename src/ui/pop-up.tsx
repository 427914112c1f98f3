import { lazy, type ReactNode, Suspense, useRef, useState } from 'react'
import { ButtonContext } from 'react-aria-components/Button'
import type { PopoverProps } from './popover.tsx'

const loadWindow = () => import('./pop-up-window.tsx')
const PopUpWindow = lazy(loadWindow)

export type PopUpProps = Pick<PopoverProps, 'placement' | 'className'> & {
  /** what it is, read out */
  label: string
  kind?: 'dialog' | 'menu'
  /** one Button or IconButton, which opens it */
  button: ReactNode
  onOpenChange?: (isOpen: boolean) => void
  /** the panel's inside; rendered while it is open */
  children: (opened: Opened) => ReactNode
}

export type Opened = {
  close: () => void
  /** opened by a key, or a screen reader: the first thing to choose takes the focus */
  isByKey: boolean
}

/**
 * A button and the panel that hangs from it. A page opens without what a panel takes: that is fetched when the pointer or the
 * focus comes to the button, at the latest with the press.
 */
export function PopUp({ button, kind = 'dialog', onOpenChange, children, ...panel }: PopUpProps) {
  const trigger = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState({ isOpen: false, wasOpen: false, isByKey: false })
  function open(isOpen: boolean, isByKey = false): void {
    setOpened({ isOpen, wasOpen: true, isByKey })
    onOpenChange?.(isOpen)
  }
  return (
    <>
      <ButtonContext
        value={{
          ref: trigger,
          'aria-haspopup': kind,
          'aria-expanded': opened.isOpen,
          onHoverStart: fetchAhead,
          onFocus: fetchAhead,
          onPress: ({ pointerType }) => open(true, pointerType === 'keyboard' || pointerType === 'virtual'),
          onKeyDown(event) {
            const { key } = event
            if (kind === 'menu' && (key === 'ArrowDown' || key === 'ArrowUp')) open(true, true)
            // keys of the page are the page's: react-aria keeps them else
            else event.continuePropagation()
          },
        }}
      >
        {button}
      </ButtonContext>
      {opened.wasOpen && (
        <Suspense fallback={null}>
          <PopUpWindow
            {...panel}
            isDialog={kind === 'dialog'}
            triggerRef={trigger}
            isOpen={opened.isOpen}
            onOpenChange={open}
          >
            {children({ close: () => open(false), isByKey: opened.isByKey })}
          </PopUpWindow>
        </Suspense>
      )}
    </>
  )
}

/** Whoever opens it says so when it does not come. */
function fetchAhead(): void {
  loadWindow().catch(() => {})
}
