import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import { Dialog } from './dialog.tsx'

export type ConflictSide = 'mine' | 'theirs'

/** A field in which two versions differ, both in words. */
export type ConflictRow = { field: string; label: string; mine: ReactNode; theirs: ReactNode }

export type ConflictDialogProps = {
  rows: readonly ConflictRow[]
  /** whose version of each field is kept */
  choice: Readonly<Record<string, ConflictSide>>
  /** who changed it meanwhile, as far as that is known */
  by: string | null
  /** when they did */
  at?: ReactNode
  onChoose: (fields: readonly string[], side: ConflictSide) => void
  onSave: () => void
  onBack: () => void
}

/** Two changed the same: both versions side by side, and of each field one is kept. Nothing is lost by going back. */
export function ConflictDialog(props: ConflictDialogProps) {
  const { rows, choice, by, at, onChoose, onSave, onBack } = props
  const all = rows.map(({ field }) => field)
  return (
    <Dialog
      title="Changed meanwhile"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onBack()}
      className="max-w-180"
      actions={
        <>
          <Button kind="quiet" onPress={onBack}>
            Back to the form
          </Button>
          <Button kind="primary" onPress={onSave}>
            Save what is chosen
          </Button>
        </>
      }
    >
      <p className="pb-4 text-ink-soft">
        {by ?? 'Somebody else'} saved other values {at ?? 'while you were editing'}. Choose what to keep of
        each field; what only one of you touched is chosen already.
      </p>
      {rows.length === 0 ? (
        <p className="rounded-small bg-sunken p-3">Both of you made the same changes.</p>
      ) : (
        <>
          <div className="flex flex-wrap gap-2 pb-2">
            <Button onPress={() => onChoose(all, 'mine')}>Keep all of mine</Button>
            <Button onPress={() => onChoose(all, 'theirs')}>Take all of theirs</Button>
          </div>
          <div className="flex flex-col">
            {rows.map((row) => (
              <Row
                key={row.field}
                row={row}
                chosen={choice[row.field] ?? 'theirs'}
                onChoose={(side) => onChoose([row.field], side)}
              />
            ))}
          </div>
        </>
      )}
    </Dialog>
  )
}

type RowProps = { row: ConflictRow; chosen: ConflictSide; onChoose: (side: ConflictSide) => void }

function Row({ row: { field, label, mine, theirs }, chosen, onChoose }: RowProps) {
  return (
    <fieldset className="min-w-0 border-line border-t py-3">
      <legend className="float-left w-full pb-2 font-medium">{label}</legend>
      <div className="clear-both grid gap-2 tablet:grid-cols-2">
        {(['mine', 'theirs'] as const).map((side) => (
          <label
            key={side}
            className={classNames(
              'flex min-w-0 cursor-pointer items-start gap-3 rounded-small p-3 outline outline-1 -outline-offset-1 has-focus-visible:outline-2 has-focus-visible:outline-focus',
              chosen === side ? 'bg-accent-soft outline-accent' : 'bg-sunken outline-line',
            )}
          >
            <input
              type="radio"
              name={`keep-${field}`}
              checked={chosen === side}
              onChange={() => onChoose(side)}
              className="mt-0.5 size-4 shrink-0 accent-accent outline-none"
            />
            <span className="flex min-w-0 flex-col">
              <span className="text-dense text-ink-soft">{side === 'mine' ? 'Mine' : 'Theirs'}</span>
              <span className="break-words">{side === 'mine' ? mine : theirs}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
