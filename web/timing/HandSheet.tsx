import { useQuery } from '@tanstack/react-query'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { maxRaceLaps } from '#contract/shared/raceRules.ts'
import { handFlags, maxShownCars } from '#contract/shared/timingRules.ts'
import { Stepper } from '#web/race/Stepper.tsx'
import { timingText } from '#web/text/timing.ts'
import { CarPlate } from '#web/ui/CarPlate.tsx'
import { FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { flagTone } from './figures.ts'
import tones from './flagTones.module.css'
import { gapFrom } from './gapFrom.ts'
import styles from './HandSheet.module.css'
import { HandState } from './HandState.tsx'
import type { HandField } from './handLetters.ts'
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
  const [isTyped, setTyped] = useState(false)
  // A flag acts at once: what is typed about the car stays.
  const { enter, undo } = useEnter(raceId, entry => {
    if (!isTyped || entry === null || !('flag' in entry)) onClose()
  })
  const own = data?.run?.standings.find(each => each.number === car.number && each.entered)
  const isBusy = enter.isPending || undo.isPending
  return (
    <FormDialog title={timingText.byHand} busy={isBusy} onClose={onClose}>
      <div className={styles.sheet}>
        <Flags
          isFirst={field === 'flag'}
          isBusy={isBusy}
          onFlag={flag => enter.mutate({ entry: { flag }, what: flag })}
        />
        <CarForm
          number={car.number}
          field={field}
          position={own?.position ?? null}
          laps={own?.laps ?? null}
          isBusy={isBusy}
          onSave={(values, what) => enter.mutate({ entry: { carId: car.id, ...values }, what })}
          onTyped={() => setTyped(true)}
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
      <legend>{timingText.flagOfAll}</legend>
      {handFlags.map((flag, index) => (
        <button
          key={flag}
          type="button"
          className={tones.toned}
          data-tone={flagTone(flag) ?? undefined}
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
  /** The number of the car. */
  number: string
  field: HandField
  /** The values that were entered before; null if none was. */
  position: number | null
  laps: number | null
  isBusy: boolean
  onSave: (values: Values, what: string) => void
  onTyped: () => void
  onClose: () => void
}

const places = { min: 1, max: maxShownCars }
const counts = { min: 0, max: maxRaceLaps }

function CarForm(props: CarFormProps) {
  const { number, field, isBusy, onSave, onTyped, onClose } = props
  const [place, setPlace] = useState(textOf(props.position))
  const [typedGap, setTypedGap] = useState('')
  const [laps, setLaps] = useState(textOf(props.laps))
  const [isTried, setTried] = useState(false)
  const position = wholeIn(place, places)
  const count = wholeIn(laps, counts)
  const gap = typedGap.trim() === '' ? undefined : gapFrom(typedGap)
  const isValid = position !== null && gap !== null && (count !== null || laps.trim() === '')
  const typing = (set: (value: string) => void) => (value: string) => {
    onTyped()
    set(value)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (position === null || gap === null || !isValid) return
    const isNewCount = count !== null && (count !== props.laps || field === 'laps')
    const values = { position, ...(gap && { gap }), ...(isNewCount && { laps: count }) }
    onSave(values, `P${position}`)
  }
  return (
    <form className={styles.form} noValidate onSubmit={submit}>
      <p className={styles.car}>
        <CarPlate number={number} />
        {timingText.ofCar}
      </p>
      <NumberField
        field="position"
        label={timingText.place}
        isFirst={field === 'position'}
        isInvalid={isTried && position === null}
        range={places}
        value={place}
        onChange={typing(setPlace)}
      />
      {isTried && position === null && <p className={styles.error}>{timingText.placeFirst}</p>}
      <label className={styles.label} htmlFor="hand-gap">
        {timingText.gapAhead}
      </label>
      <input
        id="hand-gap"
        className={styles.gap}
        data-first={field === 'gap' || undefined}
        autoComplete="off"
        maxLength={10}
        aria-invalid={isTried && gap === null}
        aria-describedby="hand-gap-hint"
        placeholder={timingText.gapExample}
        value={typedGap}
        onChange={({ target }) => typing(setTypedGap)(target.value)}
      />
      <p id="hand-gap-hint" className={isTried && gap === null ? styles.error : typography.sub}>
        {timingText.gapHint}
      </p>
      <NumberField
        field="laps"
        label={timingText.lap}
        isFirst={field === 'laps'}
        isInvalid={isTried && laps.trim() !== '' && count === null}
        range={counts}
        value={laps}
        onChange={typing(setLaps)}
      />
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

interface NumberRange {
  readonly min: number
  readonly max: number
}

interface NumberFieldProps {
  field: 'position' | 'laps'
  label: string
  isFirst: boolean
  isInvalid: boolean
  range: NumberRange
  value: string
  onChange: (value: string) => void
}

/** A whole number between keys for one less and one more. */
function NumberField(props: NumberFieldProps) {
  const { field, label, isFirst, isInvalid, range, value, onChange } = props
  const id = `hand-${field}`
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <Stepper
        less={timingText.less}
        more={timingText.more}
        onStep={by => onChange(stepped(wholeIn(value, range), by, range))}
      >
        <input
          id={id}
          data-first={isFirst || undefined}
          inputMode="numeric"
          autoComplete="off"
          maxLength={String(range.max).length}
          aria-invalid={isInvalid}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onFocus={({ target }) => target.select()}
        />
      </Stepper>
    </>
  )
}

const textOf = (value: number | null) => (value === null ? '' : String(value))

function wholeIn(text: string, { min, max }: NumberRange): number | null {
  const value = /^\d{1,5}$/.test(text.trim()) ? Number(text) : null
  return value !== null && value >= min && value <= max ? value : null
}

function stepped(value: number | null, by: number, { min, max }: NumberRange): string {
  return String(Math.min(max, Math.max(min, (value ?? min - by) + by)))
}
