import { type FormEvent, useState } from 'react'
import type { Stint } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { stintNumbers } from '#racing/race/carStints.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { stintsText as text } from '#web/text/stints.ts'
import { DialogError, FormDialog, SaveChoices } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import { SelectField } from '#web/ui/SelectField.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { driverChoices } from './driverChoices.ts'
import { stintDriverName } from './driverName.ts'
import styles from './StintsScreen.module.css'
import type { CarRace } from './shownCarRace.ts'
import { addedStint, type Conflict, changedStint } from './stintEdits.ts'
import { stintName } from './stintName.ts'
import { type EnteredTime, timeNear, timeOfDay, timeWithin } from './timeOfDay.ts'
import type { StintEditing } from './useEditStints.tsx'

interface Props {
  session: Session
  race: CarRace
  /** Null to add a stint. */
  stint: Stint | null
  edit: StintEditing
  onClose: () => void
}

/** Id of the person who started the session in the list of drivers. */
const starter = ''

/** The dialog for driver, start and end of a stint. After an error the entries stay. */
export function StintDialog({ session, race, stint, edit, onClose }: Props) {
  // As they are shown in the fields: another person may correct them while the dialog is open.
  const [stints] = useState(race.stints)
  const last = stints.at(-1)
  const serverNow = useServerClock()
  // Read again with each entry: a time of the last seconds is in the session.
  const end = last?.to ?? serverNow()
  const isFirst = stint !== null && stint.id === stints[0]?.id
  const next = stint && stints[stint.number]
  /** It ends without a next driver, because no phone is in the car. */
  const endsItself = stint !== null && stint.to !== next?.from
  const [shownDriver] = useState(() => driverOf(race, stint))
  const [driver, setDriver] = useState(shownDriver)
  const [from, setFrom] = useState(() => timeOfDay(stint?.from ?? end))
  const [to, setTo] = useState(() => (stint && stint.to !== null ? timeOfDay(stint.to) : ''))
  const [conflict, setConflict] = useState<Conflict | null>(null)
  const within = { from: stints[0]?.from ?? end, to: end }
  const read = (shown: string, storedAt: number | null | undefined) =>
    stint ? readTime(shown, storedAt ?? stint.from, storedAt) : timeWithin(shown, within)
  const fromRead = read(from, stint?.from)
  const toRead = to.trim() === '' ? 'now' : read(to, stint?.to)
  const fromAt = typeof fromRead === 'number' ? fromRead : undefined
  const toAt = toRead === 'now' ? null : typeof toRead === 'number' ? toRead : undefined
  const hint = hintOf({ isFirst, endsItself, isNew: stint === null, last })
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (fromAt === undefined || toAt === undefined) return
    const entered = {
      driverId:
        stint && driver === shownDriver ? stint.driverId : driver === starter ? null : driver,
      from: isFirst ? stint.from : fromAt,
      to: endsItself ? null : toAt,
    }
    const made = stint
      ? changedStint({ stints, end }, stint.id, entered)
      : addedStint({ stints: race.stints, end }, entered, () => crypto.randomUUID())
    edit.reset()
    setConflict('conflict' in made ? made.conflict : null)
    if (!('conflict' in made)) edit.save(made, stint ? text.changed : text.added, onClose)
  }
  return (
    <FormDialog
      open
      title={stint ? text.edit(stintName(stint, stintNumbers(race, end))) : text.addTitle}
      car={session.car?.number}
      busy={edit.isPending}
      onClose={onClose}
    >
      <form className={styles.form} noValidate onSubmit={save}>
        <DriverField
          sessionId={stint?.sessionId ?? session.id}
          race={race}
          nowMs={end}
          value={driver}
          onChange={setDriver}
        />
        <div className={styles.times}>
          <TimeField
            label={text.from}
            value={from}
            disabled={isFirst}
            error={timeError(fromRead)}
            onChange={setFrom}
          />
          <TimeField
            label={text.to}
            value={to}
            disabled={endsItself}
            error={timeError(toRead)}
            onChange={setTo}
          />
        </div>
        {hint !== '' && <p className={typography.sub}>{hint}</p>}
        {conflict && <DialogError>{conflictText(conflict, race, end)}</DialogError>}
        {edit.error && (
          <DialogError>
            {text.notSaved} {refusalText(edit.error)} {changedText(stint, race, end)}
          </DialogError>
        )}
        <SaveChoices
          cancelLabel={text.cancel}
          saveLabel={text.save}
          valid={fromAt !== undefined && toAt !== undefined}
          busy={edit.isPending}
          onCancel={() => {
            edit.reset()
            onClose()
          }}
        />
      </form>
    </FormDialog>
  )
}

interface DriverFieldProps {
  /** The session whose person is the driver who is not in the roster. */
  sessionId: string
  race: CarRace
  nowMs: number
  value: string
  onChange: (driver: string) => void
}

/** The drivers who may be chosen, then the archived ones of this race, who may have driven other stints too. */
function DriverField({ sessionId, race, nowMs, value, onChange }: DriverFieldProps) {
  const choices = driverChoices(race, { sessionId, nowMs }).filter(
    ({ id, seat }) => id !== null || seat === sessionId,
  )
  const archived = race.drivers.filter(({ id }) => !choices.some(each => each.id === id))
  return (
    <SelectField
      label={text.driver}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {choices.map(({ id, name }) => (
        <option key={id ?? starter} value={id ?? starter}>
          {name}
        </option>
      ))}
      {archived.map(({ id, name }) => (
        <option key={id} value={id}>
          {text.archived(name)}
        </option>
      ))}
    </SelectField>
  )
}

interface TimeFieldProps {
  label: string
  value: string
  disabled: boolean
  error: string | undefined
  onChange: (time: string) => void
}

function TimeField({ label, value, disabled, error, onChange }: TimeFieldProps) {
  return (
    <Field
      label={label}
      value={value}
      inputMode="text"
      placeholder={text.timeExample}
      disabled={disabled}
      error={error}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

function driverOf({ stints, drivers }: CarRace, stint: Stint | null): string {
  if (stint) return stint.driverId ?? starter
  const current = stints.at(-1)?.driverId
  return drivers.find(({ id, archived }) => !archived && id !== current)?.id ?? starter
}

function timeError(read: EnteredTime | 'now'): string | undefined {
  if (read === null) return text.timeWrong
  return read === 'skipped' ? text.timeSkipped : undefined
}

/** Parses a time. Returns the stored one if the text is unchanged, to keep its milliseconds. */
function readTime(shown: string, nearAt: number, storedAt: number | null | undefined): EnteredTime {
  if (storedAt != null && shown === timeOfDay(storedAt)) return storedAt
  return timeNear(shown, nearAt)
}

interface HintedStint {
  isFirst: boolean
  endsItself: boolean
  isNew: boolean
  last: Stint | undefined
}

function hintOf({ isFirst, endsItself, isNew, last }: HintedStint): string {
  const hints = [
    isFirst && text.firstStarts,
    endsItself && text.endsItself,
    isNew && (last?.to === null ? text.toNow : text.toEnd),
  ]
  return hints.filter(Boolean).join(' ')
}

/** Names the present values of a stint that another person has changed since the dialog was opened. */
function changedText(stint: Stint | null, race: CarRace, end: number): string {
  const stored = race.stints.find(({ id }) => id === stint?.id)
  if (!stint || !stored) return ''
  const { driverId, from, to } = stored
  if (driverId === stint.driverId && from === stint.from && to === stint.to) return ''
  const driver = stintDriverName(stored, race)
  return text.isNow(driver, timeOfDay(from), timeOfDay(to ?? end))
}

function conflictText(conflict: Conflict, race: CarRace, end: number): string {
  const { conflicts } = text
  if (conflict.kind === 'order') return conflicts.order
  if (conflict.kind === 'outside')
    return conflicts.outside(timeOfDay(conflict.from), timeOfDay(conflict.to))
  const { from, to } = conflict.stint
  const name = stintName(conflict.stint, stintNumbers(race, end))
  const driver = stintDriverName(conflict.stint, race)
  return conflicts.overlap(name, driver, timeOfDay(from), timeOfDay(to ?? end))
}
