/** A field says that it is wrong itself, or holds what can be focused. */
const WRONG =
  '[aria-invalid="true"]:not([role="spinbutton"], [role="group"]), [data-invalid] :is([role="spinbutton"], input, button)'

/** Puts the focus into the first field of a form that is wrong. */
export function focusFirstWrong(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>(WRONG)?.focus()
}
