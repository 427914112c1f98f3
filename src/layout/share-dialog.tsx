import { Copy, FileText, Link2Off } from 'lucide-react'
import { useState } from 'react'
import { SHARE_DAYS, type Share } from '#machines/contracts/entities/shares.ts'
import type { Range } from '#machines/history-search/history-search.machine.ts'
import { counted } from '#machines/rules/figures.ts'
import type { Look } from '#machines/time-machine/time-machine.machine.ts'
import { copyFor } from '../actors/copy-for.ts'
import { useAwaitedFile, useProofFile } from '../actors/proof-file.ts'
import type { Root } from '../actors/root.ts'
import { addressOf, useShares } from '../actors/shares.ts'
import { useRoot } from '../actors/use-root.ts'
import { spokenTime } from '../format/spoken-time.ts'
import { writtenDay, writtenSpan, zoneName } from '../format/time.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Segments } from '../ui/segments.tsx'
import { TextField } from '../ui/text-field.tsx'
import { Time } from '../ui/time.tsx'
import { TimeSpan } from '../ui/time-span.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { KeptList } from './kept-list.tsx'
import { useOnlyNow } from './past/past-context.ts'
import { pastLink } from './past/past-path.ts'

const DAYS = [SHARE_DAYS.least, SHARE_DAYS.otherwise, 14, SHARE_DAYS.most].map((days) => ({
  id: `${days}`,
  text: counted(days, 'day'),
}))

/** The second press of sharing: a link, copied as it is made, or a PDF. Those that are good already are listed beneath, and ended there. */
export default function ShareDialog(props: ShareProps) {
  return useOnlyNow() === undefined ? <ShareNow {...props} /> : <ShareThen {...props} />
}

type ShareProps = { imei: string; range: Range; onClose: () => void }

/** Who looks back shares the minute: a link to the device's page as of then. Others are made of what is so now. */
function ShareThen({ imei, onClose }: ShareProps) {
  const root = useRoot()
  // the address waits while it plays
  const [{ at, view }] = useState(() => standingIn(root))
  const link = pastLink(`/temperature/${imei}`, at, view)
  return (
    <Dialog
      title="Share what is shown"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      className="max-w-140"
    >
      <div className="flex flex-col gap-4">
        <p className="tabular text-ink-soft">
          {`This device at ${spokenTime(at)}, ${view === 'then' ? 'as known then' : 'as known now'}.`}
        </p>
        <Button kind="primary" autoFocus onPress={() => void copyFor(root, link, 'The link is copied')}>
          <Copy size={16} aria-hidden />
          Copy a link
        </Button>
        <TextField label="The link" value={link} readOnly onFocus={(event) => event.target.select()} />
        <p className="text-dense text-ink-soft">
          Whoever has it signs in to see it. Go back to now for a link without signing in, or a PDF.
        </p>
      </div>
    </Dialog>
  )
}

function standingIn({ live, clock }: Root): Pick<Look, 'at' | 'view'> {
  return live.get()?.past.get()?.actor.getSnapshot().context ?? { at: clock.now(), view: 'then' }
}

function ShareNow({ imei, range, onClose }: ShareProps) {
  const { shares, failure, ask, isActing, made, make, copy, end } = useShares(imei)
  const proof = useProofFile(imei)
  const [whyNot, setWhyNot] = useState<string | null>(null)
  const [days, setDays] = useState(`${SHARE_DAYS.otherwise}`)
  return (
    <Dialog
      title="Share the proof"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      isRequired={isActing}
      className="max-w-140"
    >
      <div className="flex flex-col gap-4">
        <p className="tabular text-ink-soft">
          <TimeSpan {...range} /> {zoneName}
        </p>
        <div className="flex flex-col gap-3">
          <Segments label="The link is good for" options={DAYS} value={days} onChange={setDays} />
          <div className="flex gap-2">
            <Button
              kind="primary"
              autoFocus
              isPending={isActing}
              onPress={() => void make(range, Number(days))}
              className="flex-1"
            >
              <Copy size={16} aria-hidden />
              Copy a link
            </Button>
            <Button
              isPending={proof.isAsking || proof.wanted !== undefined}
              onPress={() => void proof.ask(range)}
              className="flex-1"
            >
              <FileText size={16} aria-hidden />
              PDF
            </Button>
          </div>
          {proof.wanted && (
            <PdfAwaited
              id={proof.wanted}
              onSettled={(reason) => {
                proof.settle()
                setWhyNot(reason)
              }}
            />
          )}
          {whyNot && (
            <p role="alert" className="text-error">
              The PDF could not be made: {whyNot}
            </p>
          )}
          <p className="text-dense text-ink-soft">
            Whoever has it sees this device in this span and nothing else, without signing in.
          </p>
          {made && (
            <TextField
              label="The link"
              value={addressOf(made)}
              readOnly
              onFocus={(event) => event.target.select()}
            />
          )}
        </div>
        <section aria-label="Links that are good">
          <h3 className="pb-1 font-medium">Links that are good</h3>
          {/* on a phone the dialog stands on its foot: as high however many come */}
          <div className="overflow-auto max-tablet:h-40 tablet:max-h-60">
            <KeptList
              what="The links"
              isThere={shares !== undefined}
              failure={failure}
              onRetry={ask}
              skeletonRows={1}
            >
              {() =>
                shares?.length ? (
                  <ul>
                    {shares.map((share) => (
                      <ShareRow
                        key={share._id}
                        of={share}
                        onCopy={() => void copy(share)}
                        onEnd={() => void end(share)}
                      />
                    ))}
                  </ul>
                ) : (
                  <p className="flex h-row items-center text-dense text-ink-soft">None yet.</p>
                )
              }
            </KeptList>
          </div>
        </section>
      </div>
    </Dialog>
  )
}

function PdfAwaited({ id, onSettled }: { id: string; onSettled: (reason: string | null) => void }) {
  useAwaitedFile(id, onSettled)
  return (
    <p role="status" className="text-dense text-ink-soft">
      The PDF is being made and comes by itself. It is in Report Logs too.
    </p>
  )
}

type RowProps = { of: Share; onCopy: () => void; onEnd: () => void }

function ShareRow({ of: share, onCopy, onEnd }: RowProps) {
  const span = writtenSpan(share.from, share.to)
  return (
    <li className="flex items-center gap-1 py-1">
      <div className="tabular min-w-0 flex-1 text-dense">
        <p>
          <TimeSpan from={share.from} to={share.to} />
        </p>
        <p className="text-ink-soft">
          {share.madeBy === '' ? '' : `by ${share.madeBy} · `}until{' '}
          <Time at={share.expiresAt} as={writtenDay} />
        </p>
      </div>
      <Tooltip text="Copy the link">
        <IconButton aria-label={`Copy the link to ${span}`} onPress={onCopy}>
          <Copy size={16} aria-hidden />
        </IconButton>
      </Tooltip>
      <Tooltip text="End the link now">
        <IconButton aria-label={`End the link to ${span}`} onPress={onEnd}>
          <Link2Off size={16} aria-hidden />
        </IconButton>
      </Tooltip>
    </li>
  )
}
