import type { Doing } from '#machines/director/doings.ts'
import { directorOf, useDirectorState } from '../../actors/director.ts'
import { useRoot } from '../../actors/use-root.ts'

/** Does one thing to the world. `isBusy`: something is being done. `isDoing`: of this kind, and where it says, with this id. */
export function useDoing(): {
  act: (doing: Doing) => void
  isBusy: boolean
  isDoing: (kind: Doing['kind'], id?: string) => boolean
} {
  const { actor } = directorOf(useRoot())
  const state = useDirectorState()
  const { doing } = state.context
  const isBusy = state.matches('acting') || state.matches('travelling')
  return {
    act: (next) => actor.send({ type: 'act', doing: next }),
    isBusy,
    isDoing: (kind, id) =>
      isBusy && doing?.kind === kind && (id === undefined || ('id' in doing && doing.id === id)),
  }
}
