import { VIEW_CALLS } from '#machines/contracts/calls/view-calls.ts'
import type { SavedView } from '#machines/contracts/entities/views.ts'
import { useActing } from './use-acting.ts'
import { useKeptAnswer } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** Pages saved by name: listed, saved, removed. */
export function useViews() {
  const { http, toasts } = useRoot()
  const { answer, failure, ask } = useKeptAnswer(VIEW_CALLS.views, {})
  const { isActing, act } = useActing()
  return {
    views: answer?.views,
    savesForGroup: answer?.savesForGroup === true,
    failure,
    ask,
    isActing,
    /** `onSaved` is called once it is */
    save: (body: { name: string; path: string; isGroups: boolean }, onSaved: () => void) =>
      act(async () => {
        await http.ask(VIEW_CALLS.saveView, { body })
        ask()
        toasts.success(`“${body.name}” saved`)
        onSaved()
      }),
    remove: ({ _id, name }: SavedView) =>
      act(async () => {
        await http.ask(VIEW_CALLS.removeView, { params: { viewId: _id } })
        ask()
        toasts.success(`“${name}” removed`)
      }),
  }
}
