import type { ReactNode } from 'react'
import { usePageTitle } from './use-page-title.ts'

export type PageProps = {
  title: string
  /** beside the title: what can be done here */
  actions?: ReactNode
  /** one line under the title */
  description?: ReactNode
  children: ReactNode
}

/** A page of the shell with a title. A page that fills the room itself (the map) uses FullPage. */
export function Page({ title, actions, description, children }: PageProps) {
  usePageTitle(title)
  return (
    <div className="mx-auto flex min-h-full w-full max-w-400 flex-col gap-4 p-4 desk:p-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* on a phone what is said of a page has its width, and what is wide to press comes below it */}
        <div className={`min-w-0 flex-1 ${description ? 'basis-52' : 'basis-40'}`}>
          <h1 className="break-words font-semibold text-title">{title}</h1>
          {description && <div className="text-ink-soft">{description}</div>}
        </div>
        {actions}
      </div>
      {children}
    </div>
  )
}

/** The whole room between header, sidebar and edges, to the last pixel: the map. `title` is for those who cannot see it. */
export function FullPage({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className="absolute inset-0 overflow-hidden">
      <h1 className="sr-only">{title}</h1>
      {children}
    </div>
  )
}

/** A surface on the ground: part of a page. */
export function Panel({
  title,
  actions,
  children,
  className = '',
}: Partial<PageProps> & { className?: string }) {
  return (
    <section className={`rounded-panel bg-surface shadow-soft ${className}`}>
      {title && (
        <div className="flex min-h-11 items-center gap-2 py-1 pr-1 pl-4">
          <h2 className="min-w-0 flex-1 truncate font-semibold text-body">{title}</h2>
          {actions}
        </div>
      )}
      {children}
    </section>
  )
}
