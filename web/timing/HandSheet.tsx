import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { maxRaceLaps } from '#contract/shared/raceRules.ts'
import { handFlags, maxShownCars } from '#contract/shared/timingRules.ts'
import { Stepper } from '#web/race/Stepper.tsx'
import { timingText } from '#web/text/timing.ts'
import { FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { toneOf } from './figures.ts'
import { gapFrom } from './gapFrom.ts'
import styles from './HandSheet.module.css'
import { HandState } from './HandState.tsx'
import { type HandField, handLetters } from './handLetters.ts'
import { timingQuery } from './timingQuery.ts'
import { useEnter } from './useEnter.tsx'

interface Props {
  raceId: string
  car: { readonly id: string; readonly number: string }
  /** The value that has the focus. */
  field: HandField
  onClose: () => void
}

/** The entry by hand of what race control shows: the flag, and place, gap and laps of a car. */
export function HandSheet({ raceId, car, field, onClose }: Props) {
  const { data, dataUpdatedAt } = useQuery(timingQuery(raceId))
  const { enter, undo } = useEnter(raceId, onClose)
  const own = data?.run?.standings.find(each => each.number === car.number && each.entered)
  const isBusy = enter.isPending || undo.isPending
  return (
    <FormDialog title={timingText.byHand} car={car.number} busy={isBusy} onClose={onClose}>
      <div className={styles.sheet}>
        <Flags
          isFirst={field === 'flag'}
          isBusy={isBusy}
          onFlag={flag => enter.mutate({ entry: { flag }, what: flag })}
        />
        <CarForm
          field={field}
          position={own?.position ?? null}
          laps={own?.laps ?? null}
          isBusy={isBusy}
          onSave={(values, what) => enter.mutate({ entry: { carId: car.id, ...values }, what })}
          onClose={onClose}
        />
        {data && (
          <HandState
            run={data.run}
            answeredAt={dataUpdatedAt}
            number={car.number}
            onUndo={id => undo.mutate(id)}
          />
        )}
      </div>
    </FormDialog>
  )
}

interface FlagsProps {
  isFirst: boolean
  isBusy: boolean
  onFlag: (flag: (typeof handFlags)[number]) => void
}

/** The flags, each entered by one press. The arrow keys move between them. */
function Flags({ isFirst, isBusy, onFlag }: FlagsProps) {
  return (
    <fieldset className={styles.flags} disabled={isBusy}>
      <legend>
        <kbd aria-hidden>{handLetters.flag}</kbd> {timingText.flag}
      </legend>
      {handFlags.map((flag, index) => (
        <button
          key={flag}
          type="button"
          data-tone={toneOf(flag) ?? undefined}
          data-first={(isFirst && index === 0) || undefined}
          onClick={() => onFlag(flag)}
          onKeyDown={moveFocus}
        >
          {flag}
        </button>
      ))}
    </fieldset>
  )
}

/** Moves the focus to the next or previous key of its group. */
function moveFocus({ key, currentTarget }: KeyboardEvent<HTMLButtonElement>) {
  const { nextElementSibling, previousElementSibling } = currentTarget
  const next =
    key === 'ArrowRight' || key === 'ArrowDown'
      ? nextElementSibling
      : key === 'ArrowLeft' || key === 'ArrowUp'
        ? previousElementSibling
        : null
  if (next instanceof HTMLButtonElement) next.focus()
}

interface Values {
  position?: number
  gap?: { laps: number; ms: number }
  laps?: number
}

interface CarFormProps {
  field: HandField
  /** What was entered before the form was opened; null if nothing was. */
  position: number | null
  laps: number | null
  isBusy: boolean
  onSave: (values: Values, what: string) => void
  onClose: () => void
}

function CarForm(props: CarFormProps) {
  const { field, isBusy, onSave, onClose } = props
  const [place, setPlace] = useState(textOf(props.position))
  const [gapText, setGapText] = useState('')
  const [laps, setLaps] = useState(textOf(props.laps))
  const [isTried, setTried] = useState(false)
  const position = wholeIn(place, 1, maxShownCars)
  const count = wholeIn(laps, 0, maxRaceLaps)
  const gap = gapText.trim() === '' ? undefined : gapFrom(gapText)
  const isValid = position !== null && gap !== null && (count !== null || laps.trim() === '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (position === null || gap === null || !isValid) return
    const isNewCount = count !== null && (count !== props.laps || field === 'laps')
    const values = { position, ...(gap && { gap }), ...(isNewCount && { laps: count }) }
    onSave(values, `P${position}`)
  }
  const first = (of: HandField) => (field === of ? { 'data-first': true } : {})
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <label className={styles.label} htmlFor="hand-place">
        <kbd aria-hidden>{handLetters.position}</kbd> {timingText.place}
      </label>
      <Stepper
        less={timingText.less}
        more={timingText.more}
        onStep={by => setPlace(stepped(position, by, 1, maxShownCars))}
      >
        <input
          id="hand-place"
          {...first('position')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={3}
          aria-invalid={isTried && position === null}
          value={place}
          onChange={({ target }) => setPlace(target.value)}
          onFocus={({ target }) => target.select()}
        />
      </Stepper>
      {isTried && position === null && <p className={styles.error}>{timingText.placeFirst}</p>}
      <label className={styles.label} htmlFor="hand-gap">
        <kbd aria-hidden>{handLetters.gap}</kbd> {timingText.gapAhead}
      </label>
      <input
        id="hand-gap"
        className={styles.gap}
        {...first('gap')}
        autoComplete="off"
        maxLength={10}
        aria-invalid={isTried && gap === null}
        aria-describedby="hand-gap-hint"
        placeholder={timingText.gapExample}
        value={gapText}
        onChange={({ target }) => setGapText(target.value)}
      />
      <p id="hand-gap-hint" className={isTried && gap === null ? styles.error : typography.sub}>
        {timingText.gapHint}
      </p>
      <label className={styles.label} htmlFor="hand-laps">
        <kbd aria-hidden>{handLetters.laps}</kbd> {timingText.lap}
      </label>
      <Stepper
        less={timingText.less}
        more={timingText.more}
        onStep={by => setLaps(stepped(count, by, 0, maxRaceLaps))}
      >
        <input
          id="hand-laps"
          {...first('laps')}
          inputMode="numeric"
          autoComplete="off"
          maxLength={5}
          aria-invalid={isTried && laps.trim() !== '' && count === null}
          value={laps}
          onChange={({ target }) => setLaps(target.value)}
          onFocus={({ target }) => target.select()}
        />
      </Stepper>
      <SaveChoices
        cancelLabel={timingText.cancel}
        saveLabel={timingText.saveEntry}
        valid
        busy={isBusy}
        onCancel={onClose}
      />
    </form>
  )
}

const textOf = (value: number | null) => (value === null ? '' : String(value))

function wholeIn(text: string, min: number, max: number): number | null {
  const value = /^\d{1,5}$/.test(text.trim()) ? Number(text) : null
  return value !== null && value >= min && value <= max ? value : null
}

function stepped(value: number | null, by: number, min: number, max: number): string {
  return String(Math.min(max, Math.max(min, (value ?? min - by) + by)))
}
