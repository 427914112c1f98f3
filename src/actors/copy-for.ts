import { copyText } from '../effects/clipboard.ts'
import type { Root } from './root.ts'

/** Puts a text where it can be pasted from, and says what became of it. */
export async function copyFor({ toasts }: Pick<Root, 'toasts'>, text: string, done: string): Promise<void> {
  if (await copyText(text)) toasts.success(done)
  else toasts.error(`It could not be copied: ${text}`)
}
