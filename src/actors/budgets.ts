import { useEffect, useMemo } from 'react'
import type { AnswerOf } from '#machines/contracts/calls/call.ts'
import { LOAD_CALLS } from '#machines/contracts/calls/load-calls.ts'
import { LOAD_STATES } from '#machines/contracts/entities/loads.ts'
import { followVisibility } from '../effects/attention.ts'
import { type BudgetNow, type Budgets, setBudgets } from '../read-model/budgets.ts'
import type { Fleet } from '../read-model/fleet.ts'
import type { Live, Root } from './root.ts'
import { createStore, type Store, useStore } from './store.ts'
import { useRoot, useSignedIn } from './use-root.ts'

/** Budgets of the devices in sight. `told`: another number whenever something happened to a load; -1: nothing is known yet. */
export type BudgetNews = { of: Budgets; told: number }

type Columns = AnswerOf<typeof LOAD_CALLS.budgets>
type Followed = {
  news: Store<BudgetNews>
  /** Asks for them, while the window can be seen, until the last who joined has left; answers how to leave. */
  join(): () => void
  /** Asks at once, or once more after what is asked already: something was done to a load here. */
  again(): void
}

/** A budget is used by the minute: between two looks at what changed, ms. */
const LOOK_EVERY_MS = 10_000
const NOTHING: BudgetNews = { of: new Map(), told: -1 }
const followed = new WeakMap<Live, Followed>()

/** The budgets of a visitor's devices, asked for while somebody shows them. */
export function budgetsFor(live: Live, http: Root['http'], groupId: string): Followed {
  const known = followed.get(live)
  if (known) return known
  const made = follow(live.fleet, http, groupId)
  followed.set(live, made)
  return made
}

function follow(fleet: Fleet, http: Root['http'], groupId: string): Followed {
  const news = createStore<BudgetNews>(NOTHING)
  let revision: number | undefined
  let users = 0
  let timer: ReturnType<typeof setInterval> | undefined
  let unfollow = () => {}
  let asking: AbortController | undefined
  let isWantedAgain = false

  async function look(): Promise<void> {
    if (asking) return
    const mine = new AbortController()
    asking = mine
    isWantedAgain = false
    try {
      const columns = await http.ask(
        LOAD_CALLS.budgets,
        { params: { groupId }, query: revision === undefined ? {} : { since: revision } },
        { signal: mine.signal, isBackground: true },
      )
      if (mine.signal.aborted) return
      revision = columns.revision
      const before = news.get()
      const of = merged(before.of, columns)
      if (of === before.of && columns.told === before.told) return
      setBudgets(fleet, of)
      news.set({ of, told: columns.told })
    } catch {
      // asked again in a moment; what is known stays
    } finally {
      if (asking === mine) {
        asking = undefined
        if (isWantedAgain) void look()
      }
    }
  }

  return {
    news,
    join() {
      users++
      if (users === 1)
        unfollow = followVisibility(document, (isVisible) => {
          clearInterval(timer)
          if (!isVisible) return
          void look()
          timer = setInterval(() => void look(), LOOK_EVERY_MS)
        })
      return () => {
        users--
        if (users > 0) return
        unfollow()
        clearInterval(timer)
        asking?.abort()
        asking = undefined
      }
    },
    again() {
      isWantedAgain = true
      void look()
    },
  }
}

/** The same map where nothing is another. */
export function merged(before: Budgets, columns: Columns): Budgets {
  const { device, isWhole } = columns
  if (!isWhole && device.length === 0) return before
  const budgets = new Map<number, BudgetNow>(isWhole ? [] : before)
  for (let i = 0; i < device.length; i++) {
    const state = LOAD_STATES[columns.state[i] as number]
    if (state === undefined) budgets.delete(device[i] as number)
    else
      budgets.set(device[i] as number, {
        state,
        percent: measured(columns.percent[i]),
        most: measured(columns.most[i]),
        exhaustsAt: columns.exhaustsAt[i] || null,
      })
  }
  return budgets
}

const measured = (percent = -1): number | null => (percent < 0 ? null : percent)

const NOBODY = createStore(NOTHING)

/** Budgets of the visitor's devices, live, for a component that shows them. Who looks back at a time that is past has none. */
export function useBudgets(): BudgetNews & { again: () => void } {
  const { live, http } = useRoot()
  const { user } = useSignedIn()
  const shown = useStore(live)
  const following = useMemo(
    () => (shown ? budgetsFor(shown, http, user.groupId) : undefined),
    [shown, http, user.groupId],
  )
  useEffect(() => following?.join(), [following])
  const news = useStore(following?.news ?? NOBODY)
  return useMemo(() => ({ ...news, again: following?.again ?? (() => {}) }), [news, following])
}
