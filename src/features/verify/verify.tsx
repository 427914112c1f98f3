import { Download } from 'lucide-react'
import { useOfflinePage, useProofOf, useSealKeys } from '../../actors/seal-keys.ts'
import { Mark } from '../../layout/brand.tsx'
import { Page } from '../../layout/page.tsx'
import { Button } from '../../ui/button.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { AboutVerifying } from './about-verifying.tsx'
import { Verifier } from './verifier.tsx'

/** `/verify`: whether a file is what Frostline made, for anybody; nobody signs in, and nothing that is dropped is sent. */
export default function Verify() {
  const { keys, failure } = useSealKeys()
  const { isSaving, save } = useOfflinePage()
  const proofOf = useProofOf()
  return (
    <div className="flex min-h-dvh flex-col bg-ground">
      <header className="flex items-center gap-2 px-4 pt-4 text-ink-soft desk:px-6">
        <Mark size={20} />
        <span className="font-semibold">Frostline</span>
      </header>
      <main className="mx-auto w-full max-w-240 flex-1">
        <Page
          title="Verify a report"
          description="Whether a file is what Frostline made, and nothing else. Checked in your browser: nothing is sent."
          actions={
            <Button className="print:hidden" isPending={isSaving} onPress={() => void save(keys ?? [])}>
              <Download size={16} aria-hidden />
              This page as a file
            </Button>
          }
        >
          {failure && (
            <p role="alert" className="text-error">
              {`The keys of this server could not be loaded: ${failure.message} Add a file of keys instead.`}
            </p>
          )}
          {keys === undefined && !failure ? (
            <Skeleton className="h-48" />
          ) : (
            <Verifier known={{ keys: keys ?? [], whose: 'those of this server' }} proofOf={proofOf} />
          )}
          <AboutVerifying />
          <p className="text-dense text-ink-soft print:hidden">
            «This page as a file» is one file that needs no network, with the keys that are known here: keep
            it on a stick, and open it in a browser.
          </p>
        </Page>
      </main>
    </div>
  )
}
