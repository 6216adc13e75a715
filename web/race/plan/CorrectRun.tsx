import { type FormEvent, useState } from 'react'
import type { RunDecision } from '#contract/carRaces.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { phoneHolder, phoneLabel } from '#web/race/phoneLabel.ts'
import { Stepper } from '#web/race/Stepper.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { timeNear, timeOfDay } from '#web/race/timeOfDay.ts'
import { runsText as text } from '#web/text/runs.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import styles from './PhoneRuns.module.css'
import {
  boundsOf,
  type Corrected,
  decisionsOf,
  decisionsWithout,
  effectOf,
  type Moment,
  momentsNear,
  type PhoneLaps,
  runBefore,
  runNow,
} from './runCorrections.ts'
import type { useCorrectRuns } from './useCorrectRuns.tsx'

interface Props extends ReturnType<typeof useCorrectRuns> {
  corrected: Corrected
  onClose: () => void
}

/** Corrects which phone was in the car, and since when. After a refusal the entries stay. */
export function CorrectRun({ corrected: opened, correct, undo, onClose }: Props) {
  const serverNow = useServerClock()
  // As it is shown: if another person corrects it while the dialog is open, it stays until this one is refused.
  const [first] = useState(opened)
  const corrected = correct.error ? runNow(opened) : first
  const { race, run } = corrected
  const [openedAt] = useState(() => Math.round(serverNow()))
  const [firstAt] = useState(() => run?.from ?? boundsOf(corrected, opened.phone, openedAt).most)
  const [phone, setPhone] = useState(opened.phone)
  const [entered, setEntered] = useState(enteredAt(firstAt))
  const idOf = useCorrectionIds()
  const bounds = boundsOf(corrected, phone, openedAt)
  const { at } = entered
  const isValid = isWithin(at, bounds)
  const label = phoneLabel(race.phones, opened.phone)
  const send = (decisions: RunDecision[]) =>
    correct.mutate(
      { correctionId: idOf(decisions), decisions, was: race.corrections },
      { onSuccess: onClose },
    )
  const decisions = isValid ? decisionsOf(corrected, { phone, from: at }, openedAt) : []
  const isChanged = run === null || phone !== run.sessionId || at !== run.from
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && isChanged) send(decisions)
  }
  const before = runBefore(corrected)
  const isBusy = correct.isPending || undo.isPending
  const failure = correct.error ?? undo.error
  const carNumber = race.car?.number ?? ''
  return (
    <FormDialog
      open
      title={
        <span className={styles.title}>
          <b aria-hidden>{carNumber}</b>
          {run && before?.until !== run.from ? text.since(label) : text.tookOver(label)}
        </span>
      }
      busy={isBusy}
      onClose={onClose}
    >
      <p className={typography.sub}>{text.follows}</p>
      <form className={styles.form} noValidate onSubmit={save} data-wide="">
        {run && <PhoneField corrected={corrected} value={phone} onChange={setPhone} />}
        <TimeFields {...{ race, bounds, firstAt, entered }} onEnter={setEntered} />
        <Effect race={race} laps={effectOf(race, decisions, [before?.sessionId, opened.phone])} />
        {failure && (
          <DialogError>
            {text.notSaved} {refusalText(failure)}
          </DialogError>
        )}
        <SaveChoices
          cancelLabel={text.cancel}
          saveLabel={run ? text.correct : text.putIn}
          valid={isValid && isChanged}
          busy={isBusy}
          onCancel={onClose}
        />
        {run && (
          <Button
            variant="danger"
            disabled={isBusy}
            onClick={() => send(decisionsWithout(corrected, run))}
          >
            {text.notInCar(label, carNumber)}
          </Button>
        )}
        {run?.correctionId !== undefined && (
          <Button
            variant="quiet"
            disabled={isBusy}
            onClick={() => undo.mutate(run.correctionId ?? '', { onSuccess: onClose })}
          >
            {text.takeBack}
          </Button>
        )}
      </form>
    </FormDialog>
  )
}

/** Returns the id of each correction: a second press is the same one, other entries are another. */
function useCorrectionIds(): (decisions: readonly RunDecision[]) => string {
  const [ids] = useState(() => new Map<string, string>())
  return decisions => {
    const key = JSON.stringify(decisions)
    const id = ids.get(key) ?? crypto.randomUUID()
    ids.set(key, id)
    return id
  }
}

/** What is typed, and the time that it means; null if it is none. */
interface EnteredTime {
  readonly text: string
  readonly at: number | null
}

const enteredAt = (at: number): EnteredTime => ({ text: timeOfDay(at), at })

type Bounds = ReturnType<typeof boundsOf>

function isWithin(at: number | null, { least, most }: Bounds): at is number {
  return at !== null && at >= least && at <= most
}

interface TimeFieldsProps {
  race: CarRace
  bounds: Bounds
  /** The time with which the dialog opened. */
  firstAt: number
  entered: EnteredTime
  onEnter: (entered: EnteredTime) => void
}

/** The time since which the phone was in the car: typed, changed by seconds, or one of the moments near it. */
function TimeFields({ race, bounds, firstAt, entered, onEnter }: TimeFieldsProps) {
  const { at } = entered
  const { least, most } = bounds
  const isValid = isWithin(at, bounds)
  const moments = momentsNear(race, firstAt, bounds)
  const step = (sign: number) =>
    onEnter(enteredAt(Math.min(most, Math.max(least, (at ?? firstAt) + sign * 1000))))
  return (
    <>
      <Stepper less={text.earlier} more={text.later} unit={text.step} onStep={step}>
        <input
          aria-label={text.time}
          aria-invalid={!isValid}
          aria-describedby="run-place"
          autoComplete="off"
          value={entered.text}
          onChange={({ target }) => {
            const read = timeNear(target.value, at ?? firstAt)
            onEnter({ text: target.value, at: typeof read === 'number' ? read : null })
          }}
        />
      </Stepper>
      <output id="run-place" className={styles.place} data-wrong={!isValid || undefined}>
        {isValid
          ? placeOf(race, moments, at)
          : text.between(timeOfDay(least), timeOfDay(most), race.race?.endedAt != null)}
      </output>
      <div className={styles.moments}>
        {moments.map(({ place, at: time }) => (
          <button
            key={place}
            type="button"
            aria-pressed={time === at}
            onClick={() => onEnter(enteredAt(time))}
          >
            {text.places[place]} <span>{timeOfDay(time)}</span>
          </button>
        ))}
      </div>
    </>
  )
}

interface PhoneFieldProps {
  corrected: Corrected
  value: string
  onChange: (phone: string) => void
}

/** The phones of the car whose session lasted then; nothing for one. */
function PhoneField({ corrected: { race, run }, value, onChange }: PhoneFieldProps) {
  const until = run?.until ?? Number.POSITIVE_INFINITY
  const possible = race.phones.filter(
    ({ startedAt, endedAt }) =>
      startedAt < until && (endedAt ?? Number.POSITIVE_INFINITY) > (run?.from ?? 0),
  )
  if (possible.length < 2) return null
  return (
    <SelectField label={text.phone} value={value} onChange={({ target }) => onChange(target.value)}>
      {possible.map(({ sessionId, name }) => (
        <option key={sessionId} value={sessionId}>
          {text.reason(phoneLabel(race.phones, sessionId), name)}
        </option>
      ))}
    </SelectField>
  )
}

/** The laps of the phones before and after the correction. */
function Effect({ race, laps }: { race: CarRace; laps: readonly PhoneLaps[] }) {
  const words = (when: 'before' | 'after') =>
    laps
      .map((each, index) => {
        const name = phoneHolder(race.phones, each.sessionId)
        return index === 0 ? text.laps(name, each[when]) : `${name} ${each[when]}`
      })
      .join(', ')
  return (
    <dl className={styles.effect}>
      <dt>{text.before}</dt>
      <dd>{words('before')}</dd>
      <dt>{text.after}</dt>
      <dd aria-live="polite">{words('after')}</dd>
    </dl>
  )
}

/** Names the place and the lap of the car at a time. */
function placeOf(race: CarRace, moments: readonly Moment[], at: number): string {
  const moment = moments.find(each => each.at === at)
  const lap = race.laps.find(({ startedAt, timeMs }) => startedAt <= at && startedAt + timeMs >= at)
  return [moment && text.at[moment.place], lap && lap.number > 0 && text.lap(String(lap.number))]
    .filter(Boolean)
    .join(', ')
}
