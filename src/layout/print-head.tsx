import { useSignedIn } from '../actors/use-root.ts'
import { writtenSpan, writtenTime, zoneName } from '../format/time.ts'
import { useNow } from '../ui/clock-context.ts'

/** At the head of a page on paper, and nowhere else: whose it is (the company, or the group one belongs to), of which span, in which zone, when it was made. */
export function PrintHead({ range }: { range?: { from: number; to: number } }) {
  const { groupInfo } = useSignedIn()
  const now = useNow(60_000)
  return (
    <p className="tabular hidden text-dense print:block">
      <strong className="font-semibold">{groupInfo.name}</strong>
      {range && ` · ${writtenSpan(range.from, range.to)}`} · {zoneName} · made {writtenTime(now)}
    </p>
  )
}
