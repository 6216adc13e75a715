import { useState } from 'react'
import type { Fill } from '#contract/fills.ts'
import { maxTankL } from '#contract/shared/stintRules.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { burnOf, fuelOf } from '#racing/race/fuel.ts'
import { kindOfFill, type PlannedFill, plannedFill } from '#racing/race/plannedFill.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError } from '#web/ui/Dialog.tsx'
import { wholeNumber } from '#web/ui/wholeNumber.ts'
import { type EnteredFill, isEntered, isSameFill } from './enteredFill.ts'
import { fillTime, fillTimeIn } from './fillTime.ts'
import { type Entry, startLitres } from './fuelEntry.ts'
import { lapsToPitFigure } from './lapsToPitFigure.ts'
import styles from './RefuelSheet.module.css'
import { Stepper } from './Stepper.tsx'
import type { CarRace } from './shownCarRace.ts'
import { useSaveEntry } from './useSaveEntry.ts'

const perLap = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
})

interface Props {
  sessionId: string
  race: CarRace
  entry: Entry
  onDone: () => void
  onCancel: () => void
}

/** The litres of a stop, which open with those of the plan, or a correction. */
export function FillForm({ sessionId, race, entry, onDone, onCancel }: Props) {
  const now = useServerClock()
  const [openedAt] = useState(now)
  const [planned] = useState(() =>
    // A plan of an earlier stop is over.
    entry.kind === 'new' && isLastStop(entry.stop, race) ? plannedFill(race, openedAt) : null,
  )
  const [text, setText] = useState(() => String(firstLitres(entry, race, planned) ?? ''))
  const litres = litresFrom(text, entry.kind !== 'start')
  const stop = entry.kind === 'new' ? entry.stop : null
  const enteredAt = stop ? fillTimeIn(stop) : fillTime(race.visits, race.fills, openedAt)
  const at = entry.kind === 'fill' ? entry.fill.at : enteredAt
  const saving = useSaveEntry({ sessionId, race, at, isOfStop: stop !== null, onDone })
  const save = (value: number, kind: EnteredFill['kind']) => {
    const values = { litres: value, kind: value === 0 ? 'part' : kind } as const
    if (entry.kind === 'start') saving.saveStart(value, entry.was)
    else if (entry.kind === 'new') saving.saveNew(entry.id, values)
    else saving.saveCorrection(entry.fill, values)
  }
  // Enter takes it: full only if it was, or if the plan fills the tank with about these litres.
  const usualKind = entry.kind === 'fill' ? entry.fill.kind : kindOfFill(planned, litres ?? 0)
  const saveText =
    litres === null
      ? null
      : saving.asked
        ? fuelText.addAnother
        : fuelText.saveLitres(String(litres))
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys come from its controls
    <form
      className={styles.form}
      noValidate
      data-wide
      // A digit that is typed while a key has the focus goes to the litres.
      onKeyDown={({ key, target, currentTarget }) => {
        if (/^\d$/.test(key) && !(target instanceof HTMLInputElement))
          currentTarget.querySelector('input')?.focus()
      }}
      onSubmit={event => {
        event.preventDefault()
        if (litres !== null) save(litres, usualKind)
      }}
    >
      <LitresStepper text={text} litres={litres} onChange={setText} />
      {entry.kind === 'new' && (
        <p className={styles.planned}>
          {planned ? plannedText(planned) : text.trim() === '' ? fuelText.enterAmount : ''}
        </p>
      )}
      {entry.kind === 'start' ? (
        <Button
          variant="quiet"
          busy={saving.isPending}
          onClick={() => saving.saveStart(null, entry.was)}
        >
          {fuelText.assumeFull}
        </Button>
      ) : (
        <KindChoice
          race={race}
          usualKind={usualKind}
          saveText={saveText}
          isPending={saving.isPending}
          effectOf={kind =>
            litres !== null && litres > 0
              ? fillEffect(race, { id: idOf(entry), at, litres, kind }, openedAt)
              : ''
          }
          onSave={kind => litres !== null && save(litres, kind)}
        />
      )}
      <Failures {...{ saving, entry, race }} />
      <Choices
        isStart={entry.kind === 'start'}
        isPending={saving.isPending}
        saveText={saveText}
        onNoFuel={() => save(0, 'part')}
        onCancel={onCancel}
      />
    </form>
  )
}

function isLastStop(stop: Visit | null, { visits }: CarRace): boolean {
  return stop === null || stop.startedAt === visits.at(-1)?.startedAt
}

interface FailuresProps extends Pick<Props, 'entry' | 'race'> {
  saving: Pick<ReturnType<typeof useSaveEntry>, 'asked' | 'error'>
}

/** Another entry of the same stop, for which the form asks, or why nothing was saved. */
function Failures({ saving: { asked, error }, entry, race }: FailuresProps) {
  return (
    <>
      {asked && <DialogError>{fuelText.another(entryText(asked), asked.enteredBy)}</DialogError>}
      {error && (
        <DialogError>
          {refusalText(error)} {changedText(entry, race)}
        </DialogError>
      )}
    </>
  )
}

interface ChoicesProps {
  /** True for the fuel at the start, which is saved by a key of its own. */
  isStart: boolean
  isPending: boolean
  /** Null: the litres are not valid. */
  saveText: string | null
  onNoFuel: () => void
  onCancel: () => void
}

function Choices({ isStart, isPending, saveText, onNoFuel, onCancel }: ChoicesProps) {
  return (
    <DialogChoices>
      {!isStart && (
        <Button variant="quiet" disabled={isPending} onClick={onNoFuel}>
          {fuelText.noFuel}
        </Button>
      )}
      <Button variant="quiet" disabled={isPending} onClick={onCancel}>
        {fuelText.cancel}
      </Button>
      {isStart && (
        <Button type="submit" disabled={saveText === null} busy={isPending}>
          {saveText ?? fuelText.save}
        </Button>
      )}
    </DialogChoices>
  )
}

const kinds = ['part', 'full'] as const

interface KindChoiceProps {
  race: CarRace
  /** Saved by Enter. */
  usualKind: EnteredFill['kind']
  /** Null: the litres are not valid. */
  saveText: string | null
  isPending: boolean
  /** Describes the effect of saving the litres as this kind. */
  effectOf: (kind: EnteredFill['kind']) => string
  onSave: (kind: EnteredFill['kind']) => void
}

/** Saves the litres, and whether the tank is full after them. */
function KindChoice(props: KindChoiceProps) {
  const { race, usualKind, saveText, isPending, effectOf, onSave } = props
  return (
    <div className={styles.kinds}>
      {kinds.map(kind => (
        <div key={kind}>
          <button
            type={kind === usualKind ? 'submit' : 'button'}
            disabled={saveText === null || isPending}
            aria-describedby={`effect-${kind}`}
            onClick={kind === usualKind ? undefined : () => onSave(kind)}
          >
            {kind === 'full' ? fuelText.toFull : fuelText.part}
            <small>{saveText ?? (kind === 'full' ? tankText(race) : fuelText.partText)}</small>
          </button>
          <p id={`effect-${kind}`}>{effectOf(kind)}</p>
        </div>
      ))}
    </div>
  )
}

function plannedText({ litres, plusMinusL }: PlannedFill): string {
  if (litres === 0) return fuelText.plannedNone
  const planned = fuelText.planned(wholeNumber(litres))
  if (!plusMinusL) return planned
  const least = wholeNumber(Math.max(0, litres - plusMinusL))
  return `${planned} ${fuelText.likely(least, wholeNumber(litres + plusMinusL))}`
}

function tankText({ car }: CarRace): string {
  const tankL = car?.tankL ?? null
  return fuelText.toFullText(tankL === null ? null : wholeNumber(tankL))
}

function idOf(entry: Exclude<Entry, { kind: 'start' }>): string {
  return entry.kind === 'fill' ? entry.fill.id : entry.id
}

/** Names the present values of an entry that another person has changed since it was opened. */
function changedText(entry: Entry, race: CarRace): string {
  if (entry.kind === 'new') return ''
  if (entry.kind === 'start') {
    const litres = startLitres(race)
    if (litres === entry.was) return ''
    return fuelText.isNow(litres === null ? fuelText.assumedFull : fuelText.litres(String(litres)))
  }
  const stored = race.fills.filter(isEntered).find(({ id }) => id === entry.fill.id)
  if (!stored || isSameFill(stored, entry.fill)) return ''
  return fuelText.isNow(entryText(stored))
}

function entryText({ litres, kind }: EnteredFill): string {
  return fuelText.entry(litres, kind)
}

function firstLitres(entry: Entry, { car }: CarRace, planned: PlannedFill | null): number | null {
  if (entry.kind === 'fill') return entry.fill.litres
  if (entry.kind === 'start') return entry.was ?? car?.tankL ?? null
  // A key of its own saves that none went in.
  return planned?.litres || null
}

/** Reads litres as people enter them: 58, 58.5 or 58,5. Null if they are not valid. */
function litresFrom(text: string, mayBeNone: boolean): number | null {
  if (!/^\s*\d{1,4}([.,]\d{0,2})?\s*$/.test(text)) return null
  const litres = Number.parseFloat(text.replace(',', '.'))
  return (litres > 0 || (mayBeNone && litres === 0)) && litres <= maxTankL ? litres : null
}

/** Returns a sentence on what follows from an entry that is not stored yet; empty if nothing is known. */
function fillEffect(race: CarRace, entry: Fill, nowMs: number): string {
  const others = race.fills.filter(({ id }) => id !== entry.id)
  const fills = [...others, entry].toSorted((a, b) => a.at - b.at)
  const before = { ...race, fills: others }
  const after = { ...race, fills }
  if (entry.kind === 'part') return partSentence(after, entry, nowMs)
  return unlikelyFull(before, entry) ?? burnSentence(before, after)
}

/** Names the litres that a tank takes by the burn if those entered as full are far from them; null otherwise. */
function unlikelyFull(before: CarRace, { at, litres }: Fill): string | null {
  const fuel = fuelOf(before, at + 1)
  const tankL = before.car?.tankL ?? null
  if (!fuel || fuel.isAssumed || tankL === null) return null
  const missingL = tankL - fuel.leftL
  return Math.abs(litres - missingL) > 2 * fuel.plusMinusL + 1
    ? fuelText.unlikelyFull(wholeNumber(missingL))
    : null
}

function burnSentence(before: CarRace, after: CarRace): string {
  const burn = burnOf(after)
  if (!burn) {
    const isLevelKnown = before.fills.some(({ kind }) => kind !== 'part')
    return isLevelKnown ? fuelText.noBurn : fuelText.noStart
  }
  const [greenL, plusMinusL] = [perLap.format(burn.greenL), perLap.format(burn.plusMinusL)]
  return burn.fills > (burnOf(before)?.fills ?? -1)
    ? fuelText.burnBecomes(greenL, plusMinusL, burn.fills)
    : fuelText.burnStays(greenL, plusMinusL)
}

function partSentence(after: CarRace, { at }: Fill, nowMs: number): string {
  const filled = fuelOf(after, at + 1)
  if (!filled) return ''
  const holds = fuelText.partHolds(wholeNumber(filled.leftL))
  // The plan follows the fuel.
  const { value, unit, reason } = lapsToPitFigure(carStrategy({ ...after, plan: null }, nowMs))
  if (unit === null || reason === null) return holds
  return `${holds} ${fuelText.pitInBecomes(`${value} ${unit}`, reason)}`
}

interface LitresStepperProps {
  text: string
  /** Null if the text is not a number of litres. */
  litres: number | null
  onChange: (text: string) => void
}

/** A field for litres, with keys for one litre more or less that work with gloves. */
function LitresStepper({ text, litres, onChange }: LitresStepperProps) {
  const step = (by: number) => {
    const next = Math.min(maxTankL, Math.max(0, Math.round(litres ?? 0) + by))
    onChange(String(next))
  }
  return (
    <Stepper less={fuelText.less} more={fuelText.more} onStep={step}>
      <input
        aria-label={fuelText.amount}
        aria-invalid={litres === null}
        inputMode="decimal"
        autoComplete="off"
        maxLength={7}
        value={text}
        onChange={event => onChange(event.target.value)}
        onFocus={event => event.target.select()}
      />
    </Stepper>
  )
}
