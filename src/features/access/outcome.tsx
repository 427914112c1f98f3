import { type ReactNode, useEffect, useRef } from 'react'

type Props = { title: string; children?: ReactNode; action?: ReactNode }

/** How something ended, and what there is to do now. It takes the focus: what was pressed to get here is gone. */
export function Outcome({ title, children, action }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="font-semibold text-title outline-none">
        {title}
      </h1>
      {children && <div className="mt-2 text-ink-soft">{children}</div>}
      {action && <div className="mt-6 flex flex-wrap items-center gap-2">{action}</div>}
    </>
  )
}
