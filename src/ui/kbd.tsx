/** A key on the keyboard. */
export function Kbd({ children }: { children: string }) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-small bg-hover px-1 font-sans font-medium text-dense text-ink-faint">
      {children}
    </kbd>
  )
}

/** ⌘ on a Mac, Ctrl elsewhere. */
export const commandKey = /mac|iphone|ipad/i.test(navigator.platform) ? '⌘' : 'Ctrl'
