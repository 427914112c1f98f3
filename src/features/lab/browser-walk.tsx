import { Check, Copy, Globe, X } from 'lucide-react'
import { useState } from 'react'
import type { BrowserRun } from '../../actors/lab.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'

type Props = { name: string; transition: string; browser: BrowserRun }

/** The same path walked by a browser of the server's, in this very world; and the command that does it. */
export function BrowserWalk({ name, transition, browser }: Props) {
  const { run, failure, start, cancel } = browser
  const mine = run?.machine === name && run.transition === transition ? run : undefined
  const isRunning = run?.state === 'running'
  return (
    <div className="flex flex-col gap-2 border-line border-t pt-3">
      <div className="flex flex-wrap gap-2">
        <Button onPress={() => start({ machine: name, transition })} isDisabled={isRunning}>
          <Globe size={16} aria-hidden />
          Run in a browser
        </Button>
        {isRunning && (
          <Button kind="quiet" onPress={cancel}>
            <X size={16} aria-hidden />
            Cancel
          </Button>
        )}
      </div>
      <p className="text-dense text-ink-faint">
        It plays on this very world: the clock may be set forward and people be signed out.
      </p>
      <div role="status" className="text-dense">
        {isRunning && (
          <p>{mine ? 'A browser walks it…' : `A browser walks to ${run.transition} of ${run.machine}…`}</p>
        )}
        {mine?.state === 'passed' && <p>It did: each step looked as the machine says.</p>}
        {mine?.state === 'cancelled' && <p>Cancelled.</p>}
        {mine?.state === 'failed' && (
          <>
            <p className="text-error">It did not:</p>
            <pre className="mt-1 max-h-48 overflow-auto rounded-small bg-sunken p-2 whitespace-pre-wrap break-words">
              {mine.failure}
            </pre>
          </>
        )}
        {failure !== undefined && <p className="text-error">{failure}</p>}
      </div>
      <Command text={`npm run paths -- ${name} --to '${transition}' --run --url ${location.origin}`} />
    </div>
  )
}

function Command({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true))
  return (
    <div className="flex items-start gap-1 rounded-small bg-sunken pl-2">
      <code className="min-w-0 flex-1 break-words py-2 text-dense">{text}</code>
      {/* plain http on another machine has no clipboard */}
      {'clipboard' in navigator && (
        <IconButton aria-label={isCopied ? 'Copied' : 'Copy the command'} onPress={copy}>
          {isCopied ? <Check size={16} aria-hidden /> : <Copy size={16} aria-hidden />}
        </IconButton>
      )}
    </div>
  )
}
