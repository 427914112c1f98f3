import type { Root } from '../actors/root.ts'

/** Puts the chosen theme on the page, now and whenever it changes. */
export function followTheme({ preferences }: Pick<Root, 'preferences'>, page: HTMLElement): void {
  const apply = (): void => {
    const { theme } = preferences.get()
    if (theme === 'system') delete page.dataset.theme
    else page.dataset.theme = theme
  }
  preferences.subscribe(apply)
  apply()
}
