import { CircleAlert, CircleCheck, CircleHelp, FileCheck, type LucideIcon, Printer } from 'lucide-react'
import { type DragEvent, useState } from 'react'
import type { ConsistencyProof, SealKey } from '#machines/contracts/entities/seals.ts'
import { type FileResult, type GivenFile, verifyFiles } from '#machines/rules/dropped-files.ts'
import { wordsOf } from '../../actors/failure-words.ts'
import { browserCrypto, givenFiles, type TakenFiles } from '../../actors/sealed-files.ts'
import { exactTime, writtenDay } from '../../format/time.ts'
import { buttonLook } from '../../ui/button-look.ts'
import { classNames } from '../../ui/class-names.ts'
import { Time } from '../../ui/time.tsx'
import { resultWords, type Standing } from './result-words.ts'

export type VerifierProps = {
  /** keys that are trusted, and whose they are in words */
  known: { keys: readonly SealKey[]; whose: string }
  /**
   * asks the server for what shows that its record begins with that of so many entries; left out: there is none to ask. Rejects
   * with words
   */
  proofOf?: (size: number) => Promise<ConsistencyProof>
}

type Checked = { results: FileResult[]; keys: SealKey[]; at: number }

/**
 * Takes files and says of each whether it is what Frostline made. All of it happens in the browser: nothing is sent, and nothing
 * of the portal is needed. What is added later is checked with what was given before.
 */
export function Verifier({ known, proofOf }: VerifierProps) {
  const [given, setGiven] = useState<readonly GivenFile[]>([])
  const [checked, setChecked] = useState<Checked>()
  const [failure, setFailure] = useState<string>()
  const [isChecking, setChecking] = useState(false)

  async function check(giving: () => Promise<TakenFiles>): Promise<void> {
    if (isChecking) return
    setChecking(true)
    setFailure(undefined)
    try {
      const { files: fresh, unread } = await giving()
      if (unread.length > 0) setFailure(unread.join(' '))
      if (fresh.length === 0) return
      const names = new Set(fresh.map(({ name }) => name))
      // it was asked for another head
      if (names.has(PASTED)) names.add(PROOF)
      const all = [...given.filter(({ name }) => !names.has(name)), ...fresh]
      setChecked({ ...(await verifyFiles(browserCrypto(), all, known.keys)), at: Date.now() })
      setGiven(all)
    } catch (error) {
      setFailure(wordsOf(error))
    } finally {
      setChecking(false)
    }
  }
  const take = (files: readonly File[]): void => {
    if (files.length > 0) void check(() => givenFiles(files))
  }
  const takeText = (text: string): void => void check(async () => alone(pasted(text)))
  const compare =
    proofOf && ((size: number): void => void check(async () => alone(jsonOf(PROOF, await proofOf(size)))))
  function clear(): void {
    setGiven([])
    setChecked(undefined)
    setFailure(undefined)
  }

  return (
    <div className="flex flex-col gap-4">
      <DropZone isChecking={isChecking} onFiles={take} onText={takeText} />
      <PasteBox isChecking={isChecking} onText={takeText} />
      <p role="alert" className={classNames('text-error', failure === undefined && 'sr-only')}>
        {failure}
      </p>
      <div aria-live="polite">
        {checked && <Results {...checked} isChecking={isChecking} compare={compare} onClear={clear} />}
      </div>
      <Keys known={known} added={(checked?.keys.length ?? known.keys.length) - known.keys.length} />
    </div>
  )
}

const alone = (file: GivenFile): TakenFiles => ({ files: [file], unread: [] })

/** What was pasted, as a file of its kind. */
function pasted(text: string): GivenFile {
  const name = text.trimStart().startsWith('{') ? 'Pasted text.json' : PASTED
  return { name, bytes: new TextEncoder().encode(text) }
}

const PASTED = 'Pasted text.txt'
/** What this server showed of its record. */
const PROOF = 'Record of this server.json'

const jsonOf = (name: string, value: unknown): GivenFile => ({
  name,
  bytes: new TextEncoder().encode(JSON.stringify(value)),
})

type Given = { isChecking: boolean; onText: (text: string) => void }

/** The mail of a daily head need not be saved as a file. */
function PasteBox({ isChecking, onText }: Given) {
  const [text, setText] = useState('')
  return (
    <details className="print:hidden">
      <summary className="min-h-control cursor-pointer content-center font-medium text-link">
        Compare a daily head that came by mail
      </summary>
      <form
        className="flex flex-col items-start gap-2 pt-1"
        onSubmit={(event) => {
          event.preventDefault()
          if (text.trim() !== '') onText(text)
        }}
      >
        <label className="flex w-full flex-col gap-1">
          <span className="font-medium text-dense text-ink-soft">Text of the mail</span>
          <textarea
            rows={6}
            value={text}
            maxLength={100_000}
            onChange={(event) => setText(event.target.value)}
            className="w-full rounded-small border border-edge bg-surface p-2 focus-visible:outline-2 focus-visible:outline-focus"
          />
        </label>
        <button type="submit" disabled={isChecking} className={buttonLook('plain')}>
          Check the mail
        </button>
      </form>
    </details>
  )
}

function DropZone({ isChecking, onFiles, onText }: Given & { onFiles: (files: File[]) => void }) {
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
        const text = event.dataTransfer.getData('text/plain')
        if (event.dataTransfer.files.length === 0 && text !== '') onText(text)
        else onFiles([...event.dataTransfer.files])
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
        They stay in your browser. A file of keys, a daily head's mail, or two heads with the proof between
        them, can be added too.
      </p>
    </div>
  )
}

const LOOKS: Record<Standing, { icon: LucideIcon; look: string }> = {
  good: { icon: CircleCheck, look: 'text-accent-strong' },
  bad: { icon: CircleAlert, look: 'text-error' },
  open: { icon: CircleHelp, look: 'text-caution' },
}

type Comparing = { isChecking: boolean; compare: ((size: number) => void) | undefined }

function Results({ results, at, onClear, ...comparing }: Checked & Comparing & { onClear: () => void }) {
  return (
    <section aria-label="What was found" className="flex flex-col gap-3">
      <ul className="flex flex-col gap-3">
        {results.map((result) => (
          <li key={`${result.name} ${result.is}`}>
            <Result result={result} {...comparing} />
          </li>
        ))}
      </ul>
      {results.length === 0 && (
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

function Result({ result, isChecking, compare }: Comparing & { result: FileResult }) {
  const { standing, words, more } = resultWords(result)
  const { icon: Icon, look } = LOOKS[standing]
  return (
    <article className="flex gap-3 rounded-panel bg-surface p-4 shadow-soft">
      <Icon size={24} aria-hidden className={classNames('mt-0.5 shrink-0', look)} />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <h2 className={classNames('tabular font-semibold text-title', look)}>{words}</h2>
        <p className="break-all font-medium">{result.name}</p>
        {more && <p className="break-words text-ink-soft">{more}</p>}
        {result.is === 'head' && compare && (
          <div className="flex flex-wrap items-center gap-2 print:hidden">
            <button
              type="button"
              disabled={isChecking}
              onClick={() => compare(result.head.size)}
              className={buttonLook('primary')}
            >
              Compare with the record of today
            </button>
            <p className="text-dense text-ink-soft">
              Asks this server for the proof, and tells it the number of entries alone.
            </p>
          </div>
        )}
        {result.is === 'head' && !compare && (
          <p className="text-ink-soft">
            This page has no server to ask: add the file of the proof, which the mail has a link to.
          </p>
        )}
        {'steps' in result && (
          <details className="text-dense">
            <summary className="cursor-pointer text-ink-soft">How this was found</summary>
            <ol className="list-decimal pt-1 pl-5">
              {result.steps.map(({ step, holds, says }) => (
                <li key={step} className={holds ? undefined : 'text-error'}>
                  {says}
                </li>
              ))}
              {'file' in result && (
                <li className="break-all">{`The record that was signed has ${result.file.head.size} entries and the root ${result.file.head.root}.`}</li>
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
