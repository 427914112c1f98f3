import { COMPANY_CALLS } from '#machines/contracts/calls/company-calls.ts'
import { failureMessage } from '../effects/call-failures.ts'
import type { Root } from './root.ts'

/**
 * Enters a company as an administrator: the page starts anew with what the server hands over.
 * @returns whether it leads there; a refusal is shown as a toast
 */
export async function enterCompany(
  { http, toasts, open }: Pick<Root, 'http' | 'toasts' | 'open'>,
  companyId: string,
): Promise<boolean> {
  try {
    const { link } = await http.ask(COMPANY_CALLS.handoff, { params: { companyId } })
    // Only its path and query count: what it carries never leaves for another server.
    const { pathname, search } = new URL(link, 'http://portal')
    open(`${pathname}${search}`)
    return true
  } catch (error) {
    const message = failureMessage(error)
    if (message !== undefined) toasts.error(message)
    return false
  }
}
