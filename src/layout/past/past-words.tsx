import { useSelector } from '@xstate/react'
import type { TimeMachine } from '../../actors/root.ts'
import { useStore } from '../../actors/store.ts'
import { useRoot } from '../../actors/use-root.ts'
import { spokenTime } from '../../format/spoken-time.ts'
import { clockTime } from '../../format/time.ts'

/** Which time one looks at, and where it is known from. */
export function PastWords({ past: { actor, ...past } }: { past: TimeMachine }) {
  const isSimulated = useStore(useRoot().server)?.simulator === true
  const overview = useStore(past.overview)
  const { at, shown } = useSelector(actor, ({ context }) => context)
  const hasFailed = useSelector(actor, (state) => state.matches({ past: 'failed' }))
  const isSeeking = useSelector(actor, (state) => state.matches({ past: 'seeking' }))
  const isBeforeFrames = overview !== undefined && at < Date.parse(overview.framesFrom)
  return (
    <>
      {`You look at ${spokenTime(shown ?? at)}. Nothing here is live.`}
      {shown !== null && shown < at && !isSeeking && !hasFailed && (
        <span className="font-normal text-ink-soft">
          {` ${clockTime(at)} is not kept: this is the last minute before it that is.`}
        </span>
      )}
      {isBeforeFrames && shown !== null && !hasFailed && (
        <span className="font-normal text-ink-soft">
          {isSimulated
            ? ' It is simulated past.'
            : ' How it was shown was not kept: it is what is known now.'}
        </span>
      )}
    </>
  )
}
