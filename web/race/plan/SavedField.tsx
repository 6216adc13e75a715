import { type InputHTMLAttributes, useEffect, useRef, useState } from 'react'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { Field } from '#web/ui/Field.tsx'

/** A typed text is saved when nothing was typed for this long. */
export const saveAfterMs = 800

interface Props<Value>
  extends Pick<InputHTMLAttributes<HTMLInputElement>, 'maxLength' | 'type' | 'placeholder'> {
  label: string
  value: Value
  text: (value: Value) => string
  /** Returns the value of a valid text; undefined if it is not valid. */
  read: (text: string) => Value | undefined
  /** The sentence about a text that is not valid. */
  wrong: string
  /** Saves a value in place of the one that the field showed before it was typed. Rejects with the refusal. */
  onSave: (value: Value, was: Value) => Promise<unknown>
}

/** A field that saves what is typed. It follows the changes of other people while nothing typed is unsaved. */
export function SavedField<Value>({ value, text, read, wrong, onSave, ...input }: Props<Value>) {
  // The text that is not saved yet, and the value that it replaces.
  const [typed, setTyped] = useState<{ text: string; was: Value } | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const pending = useRef<number | undefined>(undefined)
  const shown = typed?.text ?? text(value)
  const isWrong = typed !== null && read(typed.text) === undefined
  useEffect(() => () => window.clearTimeout(pending.current), [])

  function save(next: { text: string; was: Value } | null) {
    window.clearTimeout(pending.current)
    if (!next) return
    const wanted = read(next.text)
    if (wanted === undefined) return
    if (text(wanted) === text(next.was)) return setTyped(null)
    onSave(wanted, next.was).then(
      () => setTyped(now => (now === next ? null : now && { ...now, was: wanted })),
      (reason: unknown) => {
        setFailure(reason)
        // Shows the value that another person has saved.
        if (isRefused(reason)) setTyped(now => (now === next ? null : now))
      },
    )
  }

  return (
    <Field
      {...input}
      value={shown}
      autoComplete="off"
      error={isWrong ? wrong : failure === null ? undefined : refusalText(failure)}
      onChange={({ target }) => {
        const next = { text: target.value, was: typed ? typed.was : value }
        setFailure(null)
        setTyped(next)
        window.clearTimeout(pending.current)
        pending.current = window.setTimeout(() => save(next), saveAfterMs)
      }}
      onBlur={() => save(typed)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save(typed)
      }}
    />
  )
}

/** True if a repeated change would be refused again, for instance because another person has changed the same. */
export function isRefused(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.code !== 'too-many' && !reason.mayRetrySoon
}
