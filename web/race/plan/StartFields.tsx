import { useEffect, useRef, useState } from 'react'
import type { EpochMs } from '#contract/ids.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { planText } from '#web/text/plan.ts'
import { Field } from '#web/ui/Field.tsx'
import styles from './Questions.module.css'
import { isRefused, saveAfterMs } from './SavedField.tsx'
import { dayOf, startFrom } from './startTime.ts'

interface Props {
  startsAt: EpochMs | null
  onSave: (startsAt: EpochMs | null, was: EpochMs | null) => Promise<unknown>
}

interface Typed {
  readonly day: string
  readonly time: string
  /** The start that it replaces. */
  readonly was: EpochMs | null
}

/** Day and time of the planned start, saved once both are entered, or none is. */
export function StartFields({ startsAt, onSave }: Props) {
  const [typed, setTyped] = useState<Typed | null>(null)
  const [failure, setFailure] = useState<unknown>(null)
  const pending = useRef<number | undefined>(undefined)
  useEffect(() => () => window.clearTimeout(pending.current), [])
  const stored = {
    day: startsAt === null ? '' : dayOf(startsAt),
    time: startsAt === null ? '' : hoursAndMinutes(startsAt),
    was: startsAt,
  }
  const shown = typed ?? stored
  const start = startFrom(shown.day, shown.time)

  function save(next: Typed | null) {
    window.clearTimeout(pending.current)
    if (!next) return
    const wanted = startFrom(next.day, next.time)
    if (typeof wanted === 'string') return
    if (wanted === next.was) return setTyped(null)
    onSave(wanted, next.was).then(
      () => setTyped(now => (now === next ? null : now && { ...now, was: wanted })),
      (reason: unknown) => {
        setFailure(reason)
        if (isRefused(reason)) setTyped(now => (now === next ? null : now))
      },
    )
  }
  function type(change: Partial<Typed>) {
    const next = { ...shown, ...change }
    setFailure(null)
    setTyped(next)
    window.clearTimeout(pending.current)
    pending.current = window.setTimeout(() => save(next), saveAfterMs)
  }
  const refused = failure === null ? undefined : refusalText(failure)
  return (
    <div className={styles.pair} onBlur={() => save(typed)}>
      <Field
        label={planText.day}
        type="date"
        value={shown.day}
        error={typed && start === 'no-day' ? planText.dayMissing : refused}
        onChange={({ target }) => type({ day: target.value })}
      />
      <Field
        label={planText.startTime}
        value={shown.time}
        placeholder="14:00"
        inputMode="numeric"
        autoComplete="off"
        error={typed && start === 'no-time' ? planText.timeMissing : undefined}
        onChange={({ target }) => type({ time: target.value })}
      />
    </div>
  )
}
