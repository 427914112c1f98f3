import { CircleAlert, CircleCheck, CircleHelp, FileCheck, type LucideIcon, Printer } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { SealKey } from '#machines/contracts/entities/seals.ts'
import { type GivenFile, type Verdict, verdictsOf } from '#machines/rules/dropped-files.ts'
import { wordsOf } from '../../actors/failure-words.ts'
import { browserCrypto, givenFiles } from '../../actors/sealed-files.ts'
import { exactTime, writtenDay } from '../../format/time.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { Time } from '../../ui/time.tsx'
import { type Standing, saidOf } from './verdict-words.ts'

export type VerifierProps = {
  /** keys that are trusted, and whose they are in words */
  known: { keys: readonly SealKey[]; whose: string }
}

type Checked = { verdicts: Verdict[]; keys: SealKey[]; at: number }

/**
 * Takes files and says of each whether it is what Frostline made. All of it happens in the browser: nothing is sent, and nothing
 * of the portal is needed. What is added later is checked with what was given before.
 */
export function Verifier({ known }: VerifierProps) {
  const [given, setGiven] = useState<readonly GivenFile[]>([])
  const [checked, setChecked] = useState<Checked>()
  const [failure, setFailure] = useState<string>()
  const [isChecking, setChecking] = useState(false)

  async function take(files: readonly File[]): Promise<void> {
    if (files.length === 0 || isChecking) return
    setChecking(true)
    setFailure(undefined)
    try {
      const fresh = await givenFiles(files)
      const names = new Set(fresh.map(({ name }) => name))
      const all = [...given.filter(({ name }) => !names.has(name)), ...fresh]
      setChecked({ ...(await verdictsOf(browserCrypto(), all, known.keys)), at: Date.now() })
      setGiven(all)
    } catch (error) {
      setFailure(wordsOf(error))
    } finally {
      setChecking(false)
    }
  }
  function clear(): void {
    setGiven([])
    setChecked(undefined)
    setFailure(undefined)
  }

  return (
    <div className="flex flex-col gap-4">
      <DropZone isChecking={isChecking} onFiles={(files) => void take(files)} />
      <p role="alert" className={classNames('text-error', failure === undefined && 'sr-only')}>
        {failure}
      </p>
      <div aria-live="polite">{checked && <Verdicts {...checked} onClear={clear} />}</div>
      <Keys known={known} added={(checked?.keys.length ?? known.keys.length) - known.keys.length} />
    </div>
  )
}

function DropZone({ isChecking, onFiles }: { isChecking: boolean; onFiles: (files: File[]) => void }) {
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent, isNow: boolean): void => {
    event.preventDefault()
    setOver(isNow)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is dropped here can be chosen by the button too
    <div
      onDragOver={(event) => over(event, true)}
      onDragLeave={(event) => over(event, false)}
      onDrop={(event) => {
        over(event, false)
        onFiles([...event.dataTransfer.files])
      }}
      className={classNames(
        'flex flex-col items-center gap-3 rounded-panel border-2 border-dashed p-8 text-center print:hidden',
        isOver ? 'border-accent bg-accent-soft' : 'border-edge bg-surface',
      )}
    >
      <FileCheck size={28} aria-hidden className="text-ink-soft" />
      <p>Drop a report and its seal here, or the ZIP that holds both.</p>
      <label
        className={buttonLook('primary', 'cursor-pointer focus-within:outline-2 focus-within:outline-focus')}
      >
        {isChecking ? 'Checking…' : 'Choose files'}
        <input
          type="file"
          multiple
          className="sr-only"
          disabled={isChecking}
          onChange={(event) => {
            onFiles([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
      </label>
      <p className="text-dense text-ink-soft">
        They stay in your browser. A file of keys, or two heads with the proof between them, can be added too.
      </p>
    </div>
  )
}

const LOOKS: Record<Standing, { icon: LucideIcon; look: string }> = {
  good: { icon: CircleCheck, look: 'text-accent-strong' },
  bad: { icon: CircleAlert, look: 'text-error' },
  open: { icon: CircleHelp, look: 'text-caution' },
}

function Verdicts({ verdicts, at, onClear }: Checked & { onClear: () => void }) {
  return (
    <section aria-label="What was found" className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {verdicts.map((verdict) => (
          <li key={`${verdict.name} ${verdict.is}`}>
            <OneVerdict verdict={verdict} />
          </li>
        ))}
      </ul>
      {verdicts.length === 0 && (
        <p className="text-ink-soft">The keys were added. Now add a report and its seal.</p>
      )}
      <div className="flex flex-wrap items-center gap-2">
        <p className="tabular flex-1 text-dense text-ink-soft">
          Checked in this browser <Time at={at} as={exactTime} />
        </p>
        <button type="button" onClick={onClear} className={buttonLook('quiet', 'print:hidden')}>
          Begin anew
        </button>
        <button type="button" onClick={() => window.print()} className={buttonLook('plain', 'print:hidden')}>
          <Printer size={16} aria-hidden />
          Print
        </button>
      </div>
    </section>
  )
}

function OneVerdict({ verdict }: { verdict: Verdict }) {
  const { standing, words, more } = saidOf(verdict)
  const { icon: Icon, look } = LOOKS[standing]
  return (
    <article className="flex gap-3 rounded-panel bg-surface p-4 shadow-soft">
      <Icon size={24} aria-hidden className={classNames('mt-0.5 shrink-0', look)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className={classNames('tabular font-semibold text-title', look)}>{words}</h2>
        <p className="break-all font-medium">{verdict.name}</p>
        {more && <p className="break-words text-ink-soft">{more}</p>}
        {'steps' in verdict && (
          <details className="text-dense">
            <summary className="cursor-pointer text-ink-soft">How this was found</summary>
            <ol className="list-decimal pt-1 pl-5">
              {verdict.steps.map(({ step, holds, says }) => (
                <li key={step} className={holds ? undefined : 'text-error'}>
                  {says}
                </li>
              ))}
              {'file' in verdict && (
                <li className="break-all">{`The record that was signed has ${verdict.file.head.size} entries and the root ${verdict.file.head.root}.`}</li>
              )}
            </ol>
          </details>
        )}
      </div>
    </article>
  )
}

function Keys({ known: { keys, whose }, added }: VerifierProps & { added: number }) {
  return (
    <section aria-label="Keys" className="text-dense text-ink-soft">
      <p>
        {keys.length === 0
          ? 'This page knows no keys yet: add a file of keys.'
          : `Keys this page knows, ${whose}:`}
      </p>
      <ul className="tabular">
        {keys.map(({ keyId, at }) => (
          <li key={keyId}>
            {`${keyId}, since `}
            <Time at={at} as={writtenDay} />
          </li>
        ))}
      </ul>
      {added > 0 && <p>{`${added} more from a file you added.`}</p>}
    </section>
  )
}
