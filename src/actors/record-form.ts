import { useActor } from '@xstate/react'
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { type Infer, is, type as open, unknown } from 'superstruct'
import { fromPromise } from 'xstate'
import type { AnyStruct } from '#machines/contracts/choice.ts'
import { differing, type Fields, type Side } from '#machines/record-form/merge.ts'
import {
  type FormRecord,
  type Resumed,
  recordFormMachine,
  type SaveResult,
  type Theirs,
} from '#machines/record-form/record-form.machine.ts'
import type { Fault } from '#machines/rules/plain-text.ts'
import { failureMessage } from '../effects/call-failures.ts'
import type { CallOptions } from '../effects/http.ts'
import { guardLeaving, leaveConfirmed, leaveOnceConfirmed } from '../effects/leaving.ts'
import type { Toasts } from '../effects/toast.ts'
import { inspect } from './inspection.ts'
import { KeptFields } from './kept-values.ts'
import { saveResultOf } from './save-result.ts'
import { useDraft } from './use-drafts.ts'
import { useRoot } from './use-root.ts'

export type RecordFormOptions<E, F extends Fields> = {
  /** distinguishes the forms of a page; left out where there is one */
  name?: string
  /** fetches the entity; for a new one, what its form needs to know */
  load(options: CallOptions): Promise<E>
  /** what the form shows of it; `version` null: a new one, which is always saved */
  read(entity: E): { fields: F; version: string | null }
  check(fields: F, entity: E): readonly Fault[]
  /** makes the change; hand `options` on to the call: they name the version */
  save(fields: F, entity: E, options: CallOptions): Promise<E>
  /** the contract of the entity */
  contract: AnyStruct
  /** it is saved: says so */
  onSaved?(entity: E): void
  /** nothing is left to do here: saved, or given up. Left out by a form that stays open. */
  onClose?(): void
  /** it stands in a window before the page: closing it leaves no other form */
  isWindow?: boolean
}

/** The form of one record, for a component. Wrap its fields in layout/record-form.tsx. */
export type RecordForm<E = unknown, F extends Fields = Fields> = {
  state: 'loading' | 'failed' | 'editing' | 'saving' | 'conflict' | 'asking'
  /** as it was loaded or saved last; undefined before */
  entity: E | undefined
  /** as they are in the form; not to be looked at before it is loaded */
  fields: F
  isDirty: boolean
  /** there is none of it yet: it is saved also where nothing was typed */
  isNew: boolean
  /** what is wrong with a field */
  messages: Readonly<Partial<Record<keyof F, string>>>
  /** grows with each refusal */
  refusals: number
  error: string | null
  theirs: Theirs | null
  choice: Readonly<Record<string, Side>>
  edit(patch: Partial<F>): void
  submit(): void
  retry(): void
  /** somebody else may have changed it */
  changedElsewhere(): void
  choose(fields: readonly string[], side: Side): void
  resolve(): void
  back(): void
  leave(): void
  leaveAnyway(): void
}

/** Loads a record, lets it be edited and saves it once; options may change with each render. */
export function useRecordForm<E, F extends Fields>(options: RecordFormOptions<E, F>): RecordForm<E, F> {
  const latest = useRef(options)
  useLayoutEffect(() => {
    latest.current = options
  })
  const { toasts, drafts } = useRoot()
  const machine = useMemo(() => machineOf(latest, toasts), [toasts])
  const draft = `form ${options.name ?? ''}`
  const [resumed] = useState(() => resumedOf(drafts.kept(draft, KeptForm), options))
  const [snapshot, send] = useActor(machine, {
    input: { check: (fields, entity) => latest.current.check(fields as F, entity as E), resumed },
    inspect,
  })
  const { now, record, faults, refusals, error, theirs, choice, isOld } = snapshot.context
  const isDirty = differing(now, record.fields).length > 0
  useDraft(draft, () => {
    // it had to go again before the record was there
    if (record.entity === null) return resumed && { now: resumed.now, entity: resumed.record?.entity }
    return isDirty ? { now, entity: record.entity } : undefined
  })

  /** where the visitor was going when they were asked, or while it is saved: they go there once it is */
  const goOn = useRef<(() => void) | undefined>(undefined)
  const isHolding = isDirty && snapshot.status !== 'done'
  const asksFirst = !isHolding && !options.isWindow
  // Before the effects that take the page down, so that a session that ends is not held up.
  useLayoutEffect(() => {
    if (!isHolding) return
    return guardLeaving(window, (go) => {
      goOn.current = go
      send({ type: 'leave' })
    })
  }, [isHolding, send])
  const isSaved = snapshot.matches('saved')
  const hasLeft = snapshot.matches('left')
  const mayGoOn = snapshot.matches('asking') || snapshot.matches('saving')
  useEffect(() => {
    const { onClose } = latest.current
    if (hasLeft) leaveConfirmed(goOn.current ?? (() => onClose?.()))
    else if (isSaved && goOn.current) leaveOnceConfirmed(goOn.current)
    else if (isSaved && onClose) onClose()
    // a page that stays shows what somebody else changed while it was saved
    else if (isSaved && isOld) send({ type: 'changed.elsewhere' })
    else if (!mayGoOn) goOn.current = undefined
  }, [isSaved, hasLeft, mayGoOn, isOld, send])

  return {
    state: shownState(String(snapshot.value)),
    entity: record.entity === null ? undefined : (record.entity as E),
    fields: now as F,
    isDirty,
    isNew: record.version === null,
    messages: messagesOf<F>(faults),
    refusals,
    error,
    theirs,
    choice,
    ...useMemo(
      () => ({
        edit: (patch: Partial<F>) => send({ type: 'edit', patch: patch as Fields }),
        submit: () => send({ type: 'submit' }),
        retry: () => send({ type: 'retry' }),
        changedElsewhere: () => send({ type: 'changed.elsewhere' }),
        choose: (fields: readonly string[], side: Side) => send({ type: 'choose', fields, side }),
        resolve: () => send({ type: 'resolve' }),
        back: () => send({ type: 'back' }),
        // it asks about what it would lose itself; before another form holds it here, having ended
        leave: () =>
          asksFirst ? leaveOnceConfirmed(() => send({ type: 'leave' })) : send({ type: 'leave' }),
        leaveAnyway: () => send({ type: 'leave.confirm' }),
      }),
      [send, asksFirst],
    ),
  }
}

function machineOf<E, F extends Fields>(
  latest: { readonly current: RecordFormOptions<E, F> },
  toasts: Toasts,
) {
  const recordOf = (entity: E): FormRecord => ({ ...latest.current.read(entity), entity })
  return recordFormMachine.provide({
    actors: {
      load: fromPromise<FormRecord, { isBackground: boolean }>(({ input: { isBackground }, signal }) =>
        unlessStopped(signal, async () => recordOf(await latest.current.load({ signal, isBackground }))),
      ),
      save: fromPromise<SaveResult, FormRecord>(async ({ input: { fields, version, entity }, signal }) => {
        const saveOn = (on: Pick<FormRecord, 'version' | 'entity'>) =>
          saveResultOf(
            latest.current.save(fields as F, on.entity as E, {
              signal,
              ...(on.version !== null && { ifMatch: on.version }),
            }),
            latest.current.contract,
            recordOf,
          )
        const result = await saveOn({ version, entity })
        if (result.kind !== 'conflict') return result
        // They changed what this form does not show: there is nothing to choose between.
        const isElsewhere = differing(recordOf(entity as E).fields, result.theirs.fields).length === 0
        return isElsewhere ? saveOn(result.theirs) : result
      }),
    },
    actions: {
      announce: (_, { entity }) => latest.current.onSaved?.(entity as E),
      showFailure: (_, { error }) => {
        const message = failureMessage(error)
        if (message !== undefined) toasts.error(message)
      },
    },
  })
}

/**
 * What was cancelled says nothing any more. React's StrictMode stops an actor and starts it again: the end of the first
 * try would be taken for the failure of the second.
 */
async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return new Promise(() => {})
    throw error
  }
}

const KeptForm = open({ now: KeptFields, entity: unknown() })

/** What was typed, with the record it was made of where that has versions. */
function resumedOf<E, F extends Fields>(
  kept: Infer<typeof KeptForm> | undefined,
  { contract, read }: RecordFormOptions<E, F>,
): Resumed | undefined {
  if (kept === undefined) return undefined
  const { now, entity } = kept
  if (!is(entity, contract)) return { now, record: null }
  const record = { ...read(entity as E), entity }
  return { now, record: record.version === null ? null : record }
}

/** What is going on, as far as the page looks different. */
function shownState(value: string): RecordForm['state'] {
  switch (value) {
    case 'loading':
    case 'failed':
    case 'saving':
    case 'conflict':
    case 'asking':
      return value
    default:
      return 'editing'
  }
}

const messagesOf = <F extends Fields>(faults: readonly Fault[]): Partial<Record<keyof F, string>> =>
  Object.fromEntries(faults.map(({ path, message }) => [path, message])) as Partial<Record<keyof F, string>>
