import { X } from 'lucide-react'
import { type KeyboardEvent, useId, useRef } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { Tag, TagGroup, TagList } from 'react-aria-components/TagGroup'
import { classNames } from './class-names.ts'

export type TagEntryProps = {
  label: string
  /** what was entered already, each once */
  tags: readonly string[]
  /** what is being typed */
  typed: string
  onType: (typed: string) => void
  /** Enter or Tab was pressed after something was typed */
  onEnter: () => void
  onRemove: (tag: string) => void
  inputMode?: 'email' | 'text'
  placeholder?: string
  message?: string | undefined
  hint?: string
  isDisabled?: boolean
}

/** Several short texts, each entered with Enter or Tab and taken out again with its cross, Delete or Backspace. */
export function TagEntry(props: TagEntryProps) {
  const { label, tags, typed, onType, onEnter, onRemove, message, hint, isDisabled = false } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const description = message ?? hint
  function onKeyDown(event: KeyboardEvent): void {
    if (event.key === 'Enter') event.preventDefault()
    if ((event.key === 'Enter' || (event.key === 'Tab' && !event.shiftKey)) && typed.trim() !== '') onEnter()
    const last = tags.at(-1)
    if (event.key === 'Backspace' && typed === '' && last !== undefined) onRemove(last)
  }
  return (
    <div
      data-invalid={message === undefined ? undefined : true}
      className="group/field flex min-w-0 flex-col"
    >
      <label htmlFor={id} className="pb-1 font-medium text-dense text-ink-soft">
        {label}
      </label>
      <div
        className={classNames(
          'flex min-h-control min-w-0 flex-wrap items-center gap-1 rounded-small bg-raised p-1 outline outline-1 -outline-offset-1 outline-edge focus-within:outline-2 focus-within:outline-focus group-data-invalid/field:outline-error',
          isDisabled && 'opacity-50',
        )}
      >
        {tags.length > 0 && (
          <TagGroup
            aria-label={`${label} entered`}
            className="max-w-full"
            {...(!isDisabled && {
              onRemove: (keys) => {
                for (const key of keys) onRemove(String(key))
                input.current?.focus()
              },
            })}
          >
            <TagList className="flex flex-wrap gap-1">
              {tags.map((tag) => (
                <Tag
                  key={tag}
                  id={tag}
                  textValue={tag}
                  className="flex h-7 max-w-full cursor-default items-center gap-1 rounded-small bg-hover pl-2 text-dense data-focus-visible:outline-2 data-focus-visible:outline-focus"
                >
                  <span className="truncate" title={tag}>
                    {tag}
                  </span>
                  <AriaButton
                    slot="remove"
                    className="flex size-7 shrink-0 items-center justify-center rounded-small text-ink-soft data-hovered:text-ink"
                  >
                    <X size={14} aria-hidden />
                  </AriaButton>
                </Tag>
              ))}
            </TagList>
          </TagGroup>
        )}
        <input
          ref={input}
          id={id}
          inputMode={props.inputMode}
          autoComplete="off"
          placeholder={tags.length === 0 ? props.placeholder : undefined}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={onKeyDown}
          disabled={isDisabled}
          aria-invalid={message !== undefined}
          aria-describedby={description === undefined ? undefined : `${id}-message`}
          className="h-7 min-w-40 flex-1 bg-transparent px-2 outline-none placeholder:text-ink-faint"
        />
      </div>
      <div
        id={`${id}-message`}
        role={message === undefined ? undefined : 'alert'}
        className={classNames(
          'min-h-7 pt-1 text-dense',
          message === undefined ? 'text-ink-faint' : 'text-error',
        )}
      >
        {description}
      </div>
    </div>
  )
}
