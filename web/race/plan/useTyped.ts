import { useEffect, useRef, useState } from 'react'
import { CallRefused } from '#web/api/callRefused.ts'

/** Time without typing after which the typed value is saved. */
export const saveAfterMs = 800

interface Options<Typed, Value> {
  /** The stored value. */
  value: Value
  /** Parses a typed value; undefined if it is not valid. */
  read: (typed: Typed) => Value | undefined
  equal: (a: Value, b: Value) => boolean
  /** Saves a value in place of the one before it. Rejects with the refusal. */
  onSave: (value: Value, was: Value) => Promise<unknown>
}

/**
 * Returns the typed value that is not saved yet. While it is null, the fields show the stored value, and follow the changes
 * of other people. Values are saved one after the other, so that each names the one that was stored before it.
 */
export function useTyped<Typed, Value>({ value, read, equal, onSave }: Options<Typed, Value>) {
  const [typed, setTyped] = useState<Typed | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const newest = useRef<Typed | null>(null)
  const was = useRef(value)
  const isSaving = useRef(false)
  const pending = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(pending.current), [])

  function show(next: Typed | null) {
    newest.current = next
    setTyped(next)
  }
  async function save(): Promise<void> {
    window.clearTimeout(pending.current)
    const saved = newest.current
    if (isSaving.current || saved === null) return
    const wanted = read(saved)
    if (wanted === undefined) return
    if (equal(wanted, was.current)) return show(null)
    isSaving.current = true
    const isDone = await onSave(wanted, was.current).then(
      () => {
        was.current = wanted
        return true
      },
      (reason: unknown) => {
        setFailure(reason)
        return isRefused(reason)
      },
    )
    isSaving.current = false
    if (newest.current !== saved) return save()
    // After a refusal, too: the field shows the value that another person has saved.
    if (isDone) show(null)
  }
  function type(next: Typed) {
    if (newest.current === null) was.current = value
    setFailure(null)
    show(next)
    window.clearTimeout(pending.current)
    pending.current = window.setTimeout(() => void save(), saveAfterMs)
  }
  return { typed, failure, type, save: () => void save() }
}

/** True if a repeated change would be refused again, for instance because another person has changed the same. */
export function isRefused(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.code !== 'too-many' && !reason.mayRetrySoon
}
