/** Puts a text where the visitor can paste it from; answers whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Missing on plain http, where portals in a LAN run.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyAsSelection(text)
  }
}

function copyAsSelection(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.style.position = 'fixed'
  field.style.opacity = '0'
  const before = document.activeElement
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus()
  return isCopied
}
