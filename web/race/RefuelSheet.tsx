import { useState } from 'react'
import { maxTankL } from '#contract/shared/stintRules.ts'
import { fuelOf } from '#racing/race/fuel.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { fuelText } from '#web/text/fuel.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { burnSentence } from './burnSentence.ts'
import type { CarRace } from './carRace.ts'
import { type EnteredFill, isEntered, isSameFill } from './enteredFill.ts'
import { FillList } from './FillList.tsx'
import { fillTime } from './fillTime.ts'
import { LitresStepper } from './LitresStepper.tsx'
import styles from './RefuelSheet.module.css'
import { useCarRace } from './useCarRace.ts'
import { useSaveEntry } from './useSaveEntry.ts'

interface Props {
  sessionId: string
  onClose: () => void
}

/** An entry of the form: a new fill, a correction, or the fuel at the start. */
type Entry =
  | { readonly kind: 'new'; readonly id: string }
  | { readonly kind: 'fill'; readonly fill: EnteredFill }
  | { readonly kind: 'start'; readonly was: number | null }

/** The entry of fuel: litres that went in, and corrections of earlier entries. */
export function RefuelSheet({ sessionId, onClose }: Props) {
  const { race } = useCarRace(sessionId)
  const [entry, setEntry] = useState<Entry>(newEntry)
  if (!race) return null
  return (
    <FormDialog open title={titleOf(entry)} onClose={onClose}>
      <EntryForm
        key={keyOf(entry)}
        sessionId={sessionId}
        race={race}
        entry={entry}
        onDone={onClose}
        onCancel={entry.kind === 'new' ? onClose : () => setEntry(newEntry())}
      />
      {entry.kind === 'new' && (
        <FillList
          sessionId={sessionId}
          fills={race.fills}
          onChange={fill => setEntry({ kind: 'fill', fill })}
          onChangeStart={() => setEntry({ kind: 'start', was: startLitres(race) })}
        />
      )}
    </FormDialog>
  )
}

interface FormProps {
  sessionId: string
  race: CarRace
  entry: Entry
  onDone: () => void
  onCancel: () => void
}

function EntryForm({ sessionId, race, entry, onDone, onCancel }: FormProps) {
  const now = useServerClock()
  const [text, setText] = useState(() => String(firstLitres(entry, race) ?? ''))
  const [kind, setKind] = useState(entry.kind === 'fill' ? entry.fill.kind : 'full')
  const litres = litresFrom(text)
  const [openedAt] = useState(now)
  const at = entry.kind === 'fill' ? entry.fill.at : fillTime(race.visits, race.fills, openedAt)
  const saving = useSaveEntry({ sessionId, race, at, onDone })
  const save = (value: number) => {
    const values = { litres: value, kind }
    if (entry.kind === 'start') saving.saveStart(value, entry.was)
    else if (entry.kind === 'new') saving.saveNew(entry.id, values)
    else saving.saveCorrection(entry.fill, values)
  }
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (litres !== null) save(litres)
      }}
    >
      <LitresStepper text={text} litres={litres} onChange={setText} />
      {entry.kind === 'start' ? (
        <Button
          variant="quiet"
          busy={saving.isPending}
          onClick={() => saving.saveStart(null, entry.was)}
        >
          {fuelText.assumeFull}
        </Button>
      ) : (
        <div className={styles.kinds}>
          {(['full', 'part'] as const).map(each => (
            <button
              key={each}
              type="button"
              aria-pressed={kind === each}
              onClick={() => setKind(each)}
            >
              {each === 'full' ? fuelText.toFull : fuelText.notFull}
            </button>
          ))}
        </div>
      )}
      {entry.kind !== 'start' && (
        <p className={styles.burn}>
          {litres !== null &&
            burnSentence(race, {
              id: entry.kind === 'fill' ? entry.fill.id : entry.id,
              at,
              litres,
              kind,
            })}{' '}
          {fuelText.onlyFull}
        </p>
      )}
      {saving.asked && (
        <DialogError>
          {fuelText.another(litresOf(saving.asked), saving.asked.enteredBy)}
        </DialogError>
      )}
      {saving.error && (
        <DialogError>
          {refusalText(saving.error)} {changedText(entry, race)}
        </DialogError>
      )}
      <DialogChoices>
        <Button variant="quiet" disabled={saving.isPending} onClick={onCancel}>
          {fuelText.cancel}
        </Button>
        <Button type="submit" disabled={litres === null} busy={saving.isPending}>
          {saving.asked ? fuelText.addAnother : fuelText.save}
        </Button>
      </DialogChoices>
    </form>
  )
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
  return fuelText.isNow(litresOf(stored))
}

function litresOf({ litres, kind }: EnteredFill): string {
  return fuelText.entry(String(litres), kind)
}

function newEntry(): Entry {
  return { kind: 'new', id: crypto.randomUUID() }
}

function keyOf(entry: Entry): string {
  if (entry.kind === 'start') return 'start'
  return entry.kind === 'new' ? entry.id : entry.fill.id
}

function titleOf({ kind }: Entry): string {
  if (kind === 'start') return fuelText.startQuestion
  return kind === 'new' ? fuelText.question : fuelText.changeQuestion
}

/** Suggests the fuel that the tank has lost, or the litres of the last fill; null if nothing is known, as before a stop. */
function firstLitres(entry: Entry, race: CarRace): number | null {
  const { car, fills } = race
  if (entry.kind === 'fill') return entry.fill.litres
  if (entry.kind === 'start') return entry.was ?? car?.tankL ?? 50
  const fuel = fuelOf(race)
  if (!fuel || !car || car.tankL === null)
    return fills.findLast(({ kind }) => kind !== 'start')?.litres ?? null
  const lost = Math.round(car.tankL - fuel.leftL)
  return lost > 1 ? lost : null
}

/** Returns the entered fuel at the start; null without an entry. */
function startLitres({ fills }: Pick<CarRace, 'fills'>): number | null {
  return fills.find(({ kind }) => kind === 'start')?.litres ?? null
}

/** Reads litres as people enter them: 58, 58.5 or 58,5. Null if they are not valid. */
function litresFrom(text: string): number | null {
  if (!/^\s*\d{1,4}([.,]\d{0,2})?\s*$/.test(text)) return null
  const litres = Number.parseFloat(text.replace(',', '.'))
  return litres > 0 && litres <= maxTankL ? litres : null
}
