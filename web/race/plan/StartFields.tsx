import type { EpochMs } from '#contract/ids.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { hoursAndMinutes } from '#web/race/timeOfDay.ts'
import { planText } from '#web/text/plan.ts'
import { Field } from '#web/ui/Field.tsx'
import styles from './Questions.module.css'
import { dayOf, startFrom } from './startTime.ts'
import { useTyped } from './useTyped.ts'

interface Props {
  startsAt: EpochMs | null
  onSave: (startsAt: EpochMs | null, was: EpochMs | null) => Promise<unknown>
}

interface Typed {
  readonly day: string
  readonly time: string
}

/** Day and time of the planned start, saved once both are entered, or none is. */
export function StartFields({ startsAt, onSave }: Props) {
  const { typed, failure, type, save } = useTyped<Typed, EpochMs | null>({
    value: startsAt,
    read: ({ day, time }) => {
      const start = startFrom(day, time)
      return typeof start === 'string' ? undefined : start
    },
    equal: Object.is,
    onSave,
  })
  const shown = typed ?? {
    day: startsAt === null ? '' : dayOf(startsAt),
    time: startsAt === null ? '' : hoursAndMinutes(startsAt),
  }
  const start = startFrom(shown.day, shown.time)
  const refused = failure === null ? undefined : refusalText(failure)
  return (
    <div className={styles.pair} onBlur={save}>
      <Field
        label={planText.day}
        type="date"
        value={shown.day}
        error={typed && start === 'no-day' ? planText.dayMissing : undefined}
        onChange={({ target }) => type({ ...shown, day: target.value })}
      />
      <Field
        label={planText.startTime}
        value={shown.time}
        placeholder="14:00"
        inputMode="numeric"
        error={typed && start === 'no-time' ? planText.timeMissing : refused}
        onChange={({ target }) => type({ ...shown, time: target.value })}
      />
    </div>
  )
}
