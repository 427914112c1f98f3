import { boolean, object, optional } from 'superstruct'
import { SavedViews, ViewName, ViewPath } from '../entities/views.ts'
import { Id } from '../scalars.ts'
import { calls } from './call.ts'

export const VIEW_CALLS = calls({
  views: {
    method: 'GET',
    path: '/views',
    summary: 'Pages saved by name: one’s own and those of one’s group, each by name.',
    access: 'session',
    answer: SavedViews,
  },
  saveView: {
    method: 'POST',
    path: '/views',
    summary:
      'Save a page by name, for oneself or, as a manager, for the group. It takes the place of the one of that name. Answers the views there are.',
    access: 'session',
    body: object({ name: ViewName, path: ViewPath, isGroups: optional(boolean()) }),
    answer: SavedViews,
    status: 201,
  },
  removeView: {
    method: 'DELETE',
    path: '/views/{viewId}',
    summary:
      'Remove a view: one’s own, or the group’s where one saved it or is a manager. Answers those left.',
    access: 'session',
    params: object({ viewId: Id }),
    answer: SavedViews,
  },
})
