import { useEffect, useMemo, useRef, useState } from 'react'
import { auditTime, filter } from 'rxjs'
import { CASE_CALLS } from '#machines/contracts/calls/case-calls.ts'
import type { SigningOff } from '#machines/contracts/entities/sign-off.ts'
import type { ViolationCase } from '#machines/contracts/entities/violation-case.ts'
import type { Fact } from '#machines/contracts/facts.ts'
import { CASE_FACTS, caseSpan } from '#machines/projections/violation-case.ts'
import { loadHistory } from './history-search.ts'
import { useLateNews } from './late-news.ts'
import { useStore } from './store.ts'
import { useActing } from './use-acting.ts'
import { useKept, useKeptAnswer } from './use-kept-answer.ts'
import { useRoot } from './use-root.ts'

/** What happens to it comes in a bunch, ms. */
const BUNCH = 500

/** The case of a violation, asked for again when something happens to it. `id`: of the notification that tells of it. */
export function useViolationCase(id: string) {
  const { http } = useRoot()
  const { answer: shown, failure, ask } = useKeptAnswer(CASE_CALLS.violationCase, { params: { id } })
  useLateNews(shown?.notification.thing ?? '', ask)
  useCaseNews(id, shown, ask)
  return {
    shown,
    failure,
    ask,
    /** rejects with what the server refused */
    async close(body: SigningOff): Promise<void> {
      await http.ask(CASE_CALLS.closeCase, { params: { id }, body })
      ask()
    },
  }
}

function useCaseNews(id: string, shown: ViolationCase | undefined, onNews: () => void): void {
  const feed = useStore(useRoot().live)?.feed
  const latest = useRef({ shown, onNews })
  useEffect(() => {
    latest.current = { shown, onNews }
  })
  useEffect(() => {
    const isOfIt = ({ type, data }: Fact): boolean => {
      if (!CASE_FACTS.includes(type)) return false
      const { notification } = latest.current.shown ?? {}
      if ('violationId' in data) return data.violationId === notification?.violationId
      if ('notificationId' in data) return data.notificationId === id
      return 'imei' in data && data.imei === notification?.thing
    }
    const news = feed?.facts$.pipe(filter(isOfIt), auditTime(BUNCH)).subscribe(() => latest.current.onNews())
    return () => news?.unsubscribe()
  }, [feed, id])
}

/** What was measured about it, for chart and map. */
export function useCaseHistory({ notification, versions }: ViolationCase) {
  const { http, clock } = useRoot()
  const [opened] = useState(() => clock.now())
  const range = useMemo(() => caseSpan({ versions }, opened), [versions, opened])
  const imei = notification.thing
  const { answer, failure, ask } = useKept({
    key: `${imei} ${range.from} ${range.to}`,
    about: imei,
    request: ({ signal, isBackground }) => loadHistory(http, { imei, range, isBackground }, signal),
  })
  return { history: answer, failure, ask, range }
}

/** The case as a PDF, made by the server as its reports are: asked for in one press, it comes by itself. */
export function useCaseFile(id: string) {
  const { http } = useRoot()
  const { isActing, act } = useActing()
  const [wanted, setWanted] = useState<string>()
  return {
    wanted,
    isAsking: isActing,
    ask: () =>
      act(async () => {
        const { _id } = await http.ask(CASE_CALLS.requestCase, { params: { id } })
        setWanted(_id)
      }),
    settle: () => setWanted(undefined),
  }
}
