import { catchingUpText } from '#machines/rules/catching-up.ts'
import { counted } from '#machines/rules/figures.ts'
import type { useHistorySearch } from '../../actors/history-search.ts'
import { useCameLater, useProgress } from '../../actors/late-news.ts'
import { useRoot } from '../../actors/use-root.ts'
import { Button } from '../../ui/button.tsx'

type LateNewsProps = { actor: ReturnType<typeof useHistorySearch>; imei: string }

/** Over the foot of the page: how far a device is that delivers its past, and how much of the span that is shown came since it was read. */
export function LateNews({ actor, imei }: LateNewsProps) {
  const { clock } = useRoot()
  const cameLater = useCameLater(actor, imei)
  const progress = useProgress(imei)
  if (progress === undefined && cameLater === 0) return null
  const show = (): void => {
    const { range, preset } = actor.getSnapshot().context
    actor.send({ type: 'look', range, preset, now: clock.now() })
  }
  return (
    <div role="status" className="floating sticky bottom-4 z-[5] self-center print:hidden">
      {progress !== undefined && (
        <p className="px-4 py-2 first-letter:uppercase">{catchingUpText(progress)}</p>
      )}
      {cameLater > 0 && (
        <p className="flex items-center gap-2 pl-4">
          {`${counted(cameLater, 'reading')} came later`}
          <Button kind="quiet" onPress={show}>
            Show
          </Button>
        </p>
      )}
    </div>
  )
}
