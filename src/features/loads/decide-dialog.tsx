import type { Load } from '#machines/contracts/entities/loads.ts'
import type { SignOffMeaning } from '#machines/contracts/entities/sign-off.ts'
import { useLoadActions } from '../../actors/loads.ts'
import { useSignedIn } from '../../actors/use-root.ts'
import { SignOffDialog } from '../../layout/sign-off-dialog.tsx'

const WORDS = {
  release: {
    title: 'Release this load?',
    act: 'Release',
    says: 'The goods may be used. It stands in the record with your name and the reason.',
    meanings: ['released', 'approved'],
  },
  reject: {
    title: 'Reject this load?',
    act: 'Reject',
    says: 'The goods must not be used. It stands in the record with your name and the reason.',
    meanings: ['rejected'],
  },
} as const satisfies Record<string, { meanings: readonly SignOffMeaning[] } & Record<string, unknown>>

/** Releases or rejects a load, signed and with the reason; neither is taken back. */
export default function DecideDialog({
  load: { _id, reference, words },
  decision,
  onClose,
}: {
  load: Load
  decision: 'release' | 'reject'
  onClose: () => void
}) {
  const { decide } = useLoadActions()
  const { user } = useSignedIn()
  const { title, act, says, meanings } = WORDS[decision]
  return (
    <SignOffDialog
      title={title}
      meanings={meanings}
      name={user.name}
      act={act}
      sign={(signing) => decide(decision, _id, signing)}
      onClose={onClose}
    >
      <p className="text-ink">
        <strong className="font-semibold">{reference}</strong>
        {`: ${words}.`}
      </p>
      <p>{says}</p>
    </SignOffDialog>
  )
}
