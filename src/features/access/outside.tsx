import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Link } from 'wouter'
import { Mark } from '../../layout/brand.tsx'
import { usePageTitle } from '../../layout/use-page-title.ts'

/** A picture, after what is asked: where it does not arrive, the page does without. */
const ColdChain = lazy(
  (): Promise<{ default: ComponentType }> =>
    import('./cold-chain.tsx').catch(() => ({ default: () => null })),
)

/** The pages before sign-in: what is asked on one side, what Frostline is on the other. */
export function Outside({ title, children }: { title: string; children: ReactNode }) {
  usePageTitle(title)
  return (
    <div className="grid min-h-dvh bg-surface desk:grid-cols-[minmax(440px,5fr)_7fr]">
      <main className="flex flex-col px-5 py-6 tablet:px-10">
        <div className="flex items-center gap-3 text-accent">
          <Mark size={24} />
          <span className="font-semibold text-ink text-title tracking-tight">Frostline</span>
        </div>
        {/* from the top: what comes below a form does not move what is pressed in it */}
        <div className="mx-auto flex w-full max-w-100 flex-1 flex-col pt-[max(24px,30vh-224px)] pb-6">
          {children}
        </div>
        {/* for whoever has a report and no account */}
        <Link href="/verify" className="self-start rounded-small text-dense text-ink-soft hover:underline">
          Verify a report
        </Link>
      </main>
      <aside className="relative hidden overflow-hidden bg-ground desk:block">
        <Suspense fallback={null}>
          <ColdChain />
        </Suspense>
      </aside>
    </div>
  )
}
