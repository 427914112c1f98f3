import type { Doing } from '#machines/director/doings.ts'
import { directorOf, useDirectorState } from '../../actors/director.ts'
import { useRoot } from '../../actors/use-root.ts'

/** Does something to the world. `isDoing`: such a thing is being done or comes next, of this kind, and where it says, with this id. */
export function useDoing(): {
  act: (doing: Doing) => void
  isDoing: (kind: Doing['kind'], id?: string) => boolean
} {
  const { actor } = directorOf(useRoot())
  const state = useDirectorState()
  const { doing, waiting } = state.context
  const isBusy = state.matches('acting') || state.matches('travelling')
  const all = isBusy ? [doing, ...waiting] : []
  return {
    act: (next) => actor.send({ type: 'act', doing: next }),
    isDoing: (kind, id) =>
      all.some((one) => one?.kind === kind && (id === undefined || ('id' in one && one.id === id))),
  }
}
