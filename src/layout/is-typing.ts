/** Whether a letter pressed there is part of a text, or picks from a list by its first letter. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const isField = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)
  return isField || target.closest('[role="menu"], [role="listbox"], [aria-haspopup="listbox"]') !== null
}
