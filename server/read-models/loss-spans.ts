/**
 * A device that was lost: `seq` of the fact that said so, `at` its time, and the same of the fact that it is back, or in use no more;
 * 0: it is lost. Epoch ms.
 */
export type Loss = { seq: number; at: number; no: number; endSeq: number; endAt: number }

/** From `from` on and before `to`, epoch ms, a device was heard, or was not, which was published otherwise. */
export type Revision = { seq: number; from: number; to: number; isOnline: boolean }
/** When a device was lost, epoch ms. `to`: infinite where it lasts; `isFound`: late readings say that it began at `from`. */
export type Span = { from: number; to: number; isFound: boolean }

/** When a device that was published as lost was, by what was published of it afterwards. @param revisions in the order they were published */
export function spansOf({ seq, at, endSeq, endAt }: Loss, revisions: readonly Revision[]): Span[] {
  let [from, to] = [at, endSeq === 0 ? Number.POSITIVE_INFINITY : endAt]
  const published = { from, to, isFound: false }
  let spans: Span[] = [published]
  for (let i = firstAfter(revisions, seq); i < revisions.length; i++) {
    const revision = revisions[i] as Revision
    if (revision.to < from || revision.from > to) continue
    if (revision.isOnline) spans = without(spans, revision)
    else {
      spans = withMore(spans, revision, published)
      from = Math.min(from, revision.from)
      to = Math.max(to, revision.to)
    }
  }
  return spans.filter((span) => span.from < span.to)
}

/** The place of the first that was published after a position. */
function firstAfter(revisions: readonly Revision[], seq: number): number {
  let [low, high] = [0, revisions.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((revisions[middle] as Revision).seq > seq) high = middle
    else low = middle + 1
  }
  return low
}

const without = (spans: readonly Span[], { from, to }: Revision): Span[] =>
  spans.flatMap((span) => {
    if (to <= span.from || from >= span.to) return [span]
    const before = { ...span, to: from }
    const after = { ...span, from: to, isFound: true }
    return [...(before.from < before.to ? [before] : []), ...(after.from < after.to ? [after] : [])]
  })

/** What touches neither one of them nor what was published is of no loss that was published. */
function withMore(spans: readonly Span[], { from, to }: Revision, published: Span): Span[] {
  const isBeside = (span: Span): boolean => span.to < from || span.from > to
  const touched = spans.filter((span) => !isBeside(span))
  if (touched.length === 0 && isBeside(published)) return [...spans]
  const first = touched[0]
  const whole = {
    from: Math.min(from, ...touched.map((span) => span.from)),
    to: Math.max(to, ...touched.map((span) => span.to)),
    isFound: first === undefined || first.isFound || from < first.from,
  }
  return [...spans.filter(isBeside), whole].sort((a, b) => a.from - b.from)
}
