import {
  auditTime,
  distinctUntilChanged,
  EMPTY,
  endWith,
  ignoreElements,
  map,
  type Observable,
  startWith,
  switchMap,
  takeUntil,
} from 'rxjs'
import type { Liveness } from '../streams/liveness.ts'
import { isLinked } from './link-status.ts'

/** After a failure it is asked for again so much later, ms. */
const ASK_AGAIN_MS = 5_000

/**
 * When to ask again for what facts do not tell: as the link becomes live, and while it is, some time after each failure. No more once the
 * link is over.
 */
export function askAgain(
  liveness$: Observable<Pick<Liveness, 'state' | 'isUnnotified'>>,
  failed$: Observable<void>,
): Observable<void> {
  return liveness$.pipe(
    map(isLinked),
    distinctUntilChanged(),
    switchMap((isLive) => (isLive ? failed$.pipe(auditTime(ASK_AGAIN_MS), startWith(undefined)) : EMPTY)),
    takeUntil(liveness$.pipe(ignoreElements(), endWith(undefined))),
  )
}
