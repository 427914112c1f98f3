import { classNames } from './class-names.ts'

/** A place held for what comes, in its shape. Give it width and height by class. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('animate-breathe rounded-small bg-hover', className)} />
}

/** Rows of a list or table to come. The screen reader hears "Loading" once. */
export function SkeletonRows({ rows = 8, className }: { rows?: number; className?: string }) {
  return (
    <div role="status" aria-label="Loading" className={classNames('flex flex-col', className)}>
      {Array.from({ length: rows }, (_, i) => i).map((i) => (
        <div key={i} className="flex h-row items-center gap-3 px-3">
          <Skeleton className="size-3 rounded-full" />
          <Skeleton className={classNames('h-3', i % 3 === 0 ? 'w-2/5' : i % 3 === 1 ? 'w-1/2' : 'w-1/3')} />
          <Skeleton className="ml-auto h-3 w-12" />
        </div>
      ))}
    </div>
  )
}
