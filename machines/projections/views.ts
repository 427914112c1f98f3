import type { Fact, FactData } from '../contracts/facts.ts'

/** A page by name. `groupId` null: it is its saver's own. `savedAt`: epoch ms. */
export type View = FactData<'view.saved'> & { savedAt: number }

/** Those that were not removed, by id, in the order in which they were first saved. */
export type Views = Map<string, View>

/** A view that is saved again keeps its place among the others. */
export function foldViewSaved(views: Views, data: FactData<'view.saved'>, { at }: Pick<Fact, 'at'>): void {
  views.set(data.viewId, { ...data, savedAt: at })
}

export function foldViewRemoved(views: Views, { viewId }: FactData<'view.removed'>): void {
  views.delete(viewId)
}

/** Own views go with who had them; those of the group stay. */
export function foldViewerGone(views: Views, userId: string): void {
  for (const view of views.values())
    if (view.userId === userId && view.groupId === null) views.delete(view.viewId)
}

/** Own views name no group and stay. */
export function foldViewsOfGroupGone(views: Views, groupId: string): void {
  for (const view of views.values()) if (view.groupId === groupId) views.delete(view.viewId)
}

/** Whose views are meant: somebody's own in a company, or all of a group. */
export type ViewOwner = Pick<View, 'userId' | 'companyId' | 'groupId'>

/** Those in use, in the order they were saved first. */
export const viewsOf = (views: Views, { userId, companyId, groupId }: ViewOwner): View[] =>
  [...views.values()].filter(
    (view) =>
      view.groupId === groupId &&
      (groupId !== null || (view.userId === userId && view.companyId === companyId)),
  )
