/** Short words at the edge of the screen. */
export type Toasts = {
  success(message: string): void
  error(message: string): void
  info(message: string): void
  /** A popup with something to press; one with the same name takes its place where it is still shown. */
  popup(name: string, popup: Popup): void
}

export type Popup = {
  title: string
  detail: string
  action: { label: string; onPress(): void }
  /** ms it is shown */
  duration: number
  /** it was closed or its time is over; not when it was pressed */
  onGone(): void
}

type Kind = Exclude<keyof Toasts, 'popup'>
type Pressable = { label: string; onClick(): void }
/** As the library has it. */
export type ShownToast = {
  id: string
  description: string
  duration: number
  action: Pressable
  onDismiss(): void
  onAutoClose(): void
}
type Show = Record<Kind, (message: string) => unknown> & {
  message(title: string, shown: ShownToast): unknown
}

/**
 * @param mount fetches the library that shows them and puts their place on the page; asked with the first of them, and again
 *   where it failed
 * @param onFailure is told why it did: what was to be shown is not
 */
export function createToasts(mount: () => Promise<Show>, onFailure: (error: unknown) => void): Toasts {
  let mounted: Promise<Show> | undefined
  /** how many popups of a name are gone */
  const gone = new Map<string, number>()
  const withLibrary = (act: (toast: Show) => unknown) => {
    mounted ??= mount()
    mounted.then(act, (error) => {
      mounted = undefined
      onFailure(error)
    })
  }
  const show = (kind: Kind) => (message: string) => withLibrary((toast) => toast[kind](message))
  return {
    success: show('success'),
    error: show('error'),
    info: show('info'),
    popup: (name, { title, detail, action, duration, onGone }) =>
      withLibrary((toast) => {
        const before = gone.get(name) ?? 0
        // One that is on its way out takes nothing in: what comes while it fades is another popup.
        const isOver = () => gone.set(name, before + 1)
        const end = () => {
          isOver()
          onGone()
        }
        toast.message(title, {
          id: `${name} ${before}`,
          description: detail,
          duration,
          action: pressable(action, isOver),
          onDismiss: end,
          onAutoClose: end,
        })
      }),
  }
}

const pressable = ({ label, onPress }: Popup['action'], isOver: () => void): Pressable => ({
  label,
  onClick() {
    isOver()
    onPress()
  },
})
