/** Short words at the edge of the screen. */
export type Toasts = {
  success(message: string): void
  error(message: string): void
  info(message: string): void
}

type Show = Record<keyof Toasts, (message: string) => unknown>

/** `mount`: fetches the library that shows them and puts their place on the page; asked once, with the first of them. */
export function createToasts(mount: () => Promise<Show>): Toasts {
  let mounted: Promise<Show> | undefined
  const show = (kind: keyof Toasts) => (message: string) => {
    mounted ??= mount()
    mounted.then((toast) => toast[kind](message), console.error)
  }
  return { success: show('success'), error: show('error'), info: show('info') }
}
